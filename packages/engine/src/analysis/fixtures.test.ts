// Analyzers answer as a recorded OpenSearch 3.1.0 did.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EngineError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { stringifyJson } from '../json/print.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { parseMapping } from '../mapping/index-mapping.ts';
import { runToEnd } from '../turn.ts';
import { analyzeRequest } from './analyze.ts';
import type { Chain } from './chain.ts';
import { buildAnalysis } from './registry.ts';

// Replies of a real OpenSearch 3.1.0; see test/fixtures/analysis/capture.ts.
const folder = new URL('../../test/fixtures/analysis/', import.meta.url);

interface Fixture {
  settings?: JsonObject;
  mappings?: JsonObject;
  cases: {
    body: JsonObject;
    reply: { tokens?: JsonValue[]; detail?: JsonObject; error?: { type: string; reason: string } };
  }[];
}

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const fixture = parseJson(readFileSync(new URL(file, folder))) as unknown as Fixture;
  const analysis = buildAnalysis(fixture.settings ?? {});
  const mapping = fixture.mappings === undefined ? undefined : parseMapping(fixture.mappings, analysis);
  test(`_analyze answers as OpenSearch does: ${file}`, () => {
    const wrong: string[] = [];
    for (const { body, reply } of fixture.cases) {
      let got: string;
      try {
        got = stringifyJson(runToEnd(analyzeRequest(analysis, mapping, body, Number.POSITIVE_INFINITY)));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        got = stringifyJson({ type: error.type, reason: error.message });
      }
      const { error } = reply;
      const want = stringifyJson(
        error === undefined ? { ...reply } : { type: error.type, reason: error.reason },
      );
      if (canonical(got) !== canonical(want))
        wrong.push(`${stringifyJson(body)}\n  us   ${got}\n  peer ${want}`);
    }
    assert.deepEqual(wrong, []);
  });
}

function canonical(json: string): string {
  return JSON.stringify(sorted(JSON.parse(json)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

test('bytes and text give the same terms and positions', () => {
  const analysis = buildAnalysis();
  const { cases } = parseJson(readFileSync(new URL('builtin.json', folder))) as unknown as Fixture;
  for (const name of ['standard', 'simple', 'whitespace', 'english', 'stop', 'german']) {
    const analyzer = analysis.get(name) as Chain;
    for (const { body } of cases) {
      const text = String(body['text']);
      const bytes = Buffer.from(`..${text}..`);
      const got: string[] = [];
      analyzer.analyzeBytes(bytes, 2, bytes.length - 2, (b, start, end, position) => {
        got.push(`${Buffer.from(b.subarray(start, end))}@${position}`);
      });
      assert.deepEqual(
        got,
        analyzer.analyze(text).map((token) => `${token.term}@${token.position}`),
        `${name}: ${text}`,
      );
    }
  }
});

test('a tokenizer with a pattern cuts a long text in steps', () => {
  const tokenizer = { type: 'pattern', pattern: ',+' };
  const request = analyzeRequest(
    buildAnalysis({}),
    undefined,
    { text: 'a,'.repeat(5_000), tokenizer },
    20_000,
  );
  let steps = 0;
  while (request.next().done !== true) steps++;
  assert.ok(steps > 1_000, `${steps} steps`);
});
