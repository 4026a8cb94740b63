// The examples of the OpenAPI document: each is what a server answers, every operation with JSON has one, and each is valid by
// the schema beside it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Schema from 'typebox/schema';
import { EXAMPLES_FILE } from '../src/api/openapi/examples.ts';
import { createEmptyEngine } from '../src/proxy/empty-engine.ts';
import { askOver } from './ask.ts';
import { recordExamples } from './examples/record.ts';
import { fakeRecords } from './fake-records.ts';

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

const { ask } = await askOver(createEmptyEngine(), { records: fakeRecords() });
const { paths, components }: Document = (await ask('GET /api/openapi.json')).body;
const operations = Object.values(paths).flatMap((item) => Object.values(item));

test('a server answers as the examples say', async () => {
  const recorded = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'));
  assert.deepEqual(await recordExamples(), recorded, 'run node scripts/reference.ts');
});

test('every operation has an example of its body and of its reply', () => {
  const missing: string[] = [];
  for (const { operationId, requestBody, responses } of operations) {
    // The document is no example of itself.
    if (operationId === 'getOpenApi') continue;
    const bodies = Object.values(requestBody?.content ?? {});
    if (bodies.some((content) => !('example' in content))) missing.push(`${operationId}: body`);
    const replies = Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, { content }]) => content?.['application/json'] ?? []);
    if (replies.length > 0 && replies.every((content) => !('example' in content)))
      missing.push(`${operationId}: reply`);
  }
  assert.deepEqual(missing, []);
});

test('every example is valid by its schema', () => {
  const wrong: unknown[] = [];
  for (const { operationId, requestBody, responses } of operations) {
    for (const body of [requestBody, ...Object.values(responses)]) {
      for (const { schema, example } of Object.values(body?.content ?? {})) {
        if (example === undefined) continue;
        const [valid, errors] = Schema.Errors({ ...schema, components }, example);
        assert.ok(!Schema.Check({ ...schema, components }, null), `${operationId}: anything is valid`);
        if (!valid) wrong.push({ operationId, example, errors });
      }
    }
  }
  assert.deepEqual(wrong, []);
});
