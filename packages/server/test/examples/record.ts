// Records the examples of the OpenAPI document. What differs between two runs (ids, times, tokens, secrets) gets values that
// do not, the same ones wherever it stands.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { openRecords } from '@octavo/records';
import { ANONYMOUS } from '../../src/access/callers/principal.ts';
import type { Example, Examples } from '../../src/api/openapi/examples.ts';
import { createServer } from '../../src/serve.ts';
import type { Answer } from '../ask.ts';
import { ownEngine } from '../own-engine.ts';
import { sendAll } from './scenario.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The first request of each operation, with its reply. */
export async function recordExamples(): Promise<Examples> {
  const { engine, end } = await ownEngine();
  const records = await openRecords(':memory:');
  // Keys that are created must not lock out the requests after them.
  const everybody = { authenticate: () => ANONYMOUS, keyless: () => true };
  const app = await createServer(engine, {
    records,
    webhookAllowPrivate: true,
    logLevel: 'silent',
    ...everybody,
  });
  try {
    const ask = async (line: string, body?: unknown): Promise<Answer> => {
      const [method = '', url = ''] = line.split(' ');
      const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
      const reply = await app.inject({
        method: method as 'GET',
        url,
        headers: { host: 'localhost', ...(payload === undefined ? {} : { 'content-type': type }) },
        ...(payload === undefined ? {} : { payload }),
      });
      const { statusCode: status, headers, payload: text } = reply;
      return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) };
    };
    const { paths } = (await ask('GET /api/openapi.json')).body as Document;
    const examples = new Map<string, Example>();
    await sendAll(async (operation, line, body) => {
      const reply = await ask(line, body);
      assert.ok(reply.status < 300, `${line}: ${reply.text}`);
      if (!examples.has(operation)) examples.set(operation, exampleOf(paths, operation, line, body, reply));
      return reply;
    });
    return JSON.parse(settled(JSON.stringify(Object.fromEntries(examples)))) as Examples;
  } finally {
    await app.close();
    await records.close();
    await end();
  }
}

function exampleOf(
  paths: Document['paths'],
  name: string,
  line: string,
  body: unknown,
  { status, body: reply }: Answer,
): Example {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query = ''] = url.split('?');
  const template = Object.keys(paths).find(
    (each) => paths[each]?.[method.toLowerCase()]?.operationId === name,
  );
  assert.ok(template !== undefined, `${method} ${path} is no ${name}`);
  const parts = path.split('/');
  const inPath = template
    .split('/')
    .flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), parts[at]!]] : []));
  const parameters = Object.fromEntries([...inPath, ...new URLSearchParams(query)]) as Record<string, string>;
  return {
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { body }),
    status,
    ...(reply === undefined ? {} : { reply: shortened(reply) }),
  };
}

/** The tables of limits and problems are long. */
function shortened(reply: unknown): unknown {
  const { items } = reply as { readonly items?: readonly unknown[] };
  return Array.isArray(items) && items.length > 10
    ? { ...(reply as object), items: items.slice(0, 2) }
    : reply;
}

const NOW = '2026-11-21T05:00:00.000Z';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /202\d-\d\d-\d\dT[\d:]+\.\d{3}Z/g;
/** Members whose text is sealed, random or a hash. */
const RANDOM =
  /"(next|nextToken|prev|next_token|prev_token|_scroll_id|scroll_id|token|encoded|secret|head)":\[?"([^"]{20,})"/g;
const RANDOM_ID = /"((?:_)?id)":"(wh_[\w-]+|[\w-]{20}|key_[\w-]+)"/g;

/** Replaces what differs between runs, everywhere by the same. */
function settled(text: string): string {
  const replaced = new Map<string, string>();
  for (const [uuid] of text.matchAll(UUID))
    if (!replaced.has(uuid))
      replaced.set(uuid, `019aab3f-6e1c-7d40-9a51-${String(replaced.size + 1).padStart(12, '0')}`);
  for (const [, name, value] of [...text.matchAll(RANDOM), ...text.matchAll(RANDOM_ID)]) {
    if (replaced.has(value!)) continue;
    const made = hash('sha256', `${name} ${replaced.size}`, 'base64url');
    replaced.set(value!, `${/^(?:whsec|wh|key)_/.exec(value!)?.[0] ?? ''}${made.slice(0, 24)}`);
  }
  let out = text.replaceAll(TIME, NOW).replaceAll(/"took":\d+/g, '"took":1');
  for (const [value, made] of replaced) out = out.replaceAll(value, made);
  return out.replaceAll('http://127.0.0.1:9/', 'https://example.com/');
}
