// Templates beside what OpenSearch 3.1 rendered, and their limits.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EngineError } from '../../errors.ts';
import { parseJson } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import { renderTemplate } from './render-template.ts';

const encoder = new TextEncoder();

/** What a template becomes, or its error: `!script_exception: Empty mustache`. */
function answer(source: string, params: string): string {
  try {
    return renderTemplate(source, parseJson(encoder.encode(params)) as JsonObject);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return `!${error.type}: ${error.message}`;
  }
}

test('templates become what OpenSearch makes of them', () => {
  const url = new URL('../../../test/fixtures/scripts/templates-3.1.json', import.meta.url);
  const { params, cases } = JSON.parse(readFileSync(url, 'utf8')) as {
    params: string;
    cases: [string, string][];
  };
  assert.ok(cases.length > 90);
  for (const [source, expected] of cases) assert.equal(answer(source, params), expected, source);
});

test('other delimiters are taken literally', () => {
  assert.equal(answer('{{=<% %>=}}<%a%>{{a}}<%={{ }}=%>{{a}}', '{"a":1}'), '1{{a}}1');
  assert.equal(answer('{{=.* +?=}}.*a+?.*#a+?x.*/a+?', '{"a":1}'), '1x');
  assert.match(answer('{{=a=}}', '{}'), /^!script_exception: Invalid delimiter string/);
});

test('what cannot be rendered is an error that says where', () => {
  const cases: [string, RegExp][] = [
    [
      '{{<x}}',
      /^!script_exception: templates that extend others \({{<x}}\) are not supported @\[query-template:1\]/,
    ],
    ['{{{x}}', /^!script_exception: Improperly closed variable @\[query-template:1\]/],
    ['\n{{l.9}}', /^!mustache_exception: Failed to get value for l\.9 @\[query-template:2\]/],
    [
      '{{#join}}l{{/join}}',
      /^!mustache_exception: Function failure: an item to join is null @\[query-template:1\]/,
    ],
    ['{{#a}}'.repeat(101), /^!script_exception: more than 100 levels of nesting/],
    ['x'.repeat(70_000), /^!illegal_argument_exception: exceeded max allowed inline script size/],
  ];
  for (const [source, expected] of cases) assert.match(answer(source, '{"l":[1,null]}'), expected, source);
});

test('members that JSON does not have are not found', () => {
  for (const name of ['constructor', '__proto__', 'a.constructor', 'a.__proto__.x', 'l.constructor', 'l.map'])
    assert.equal(answer(`{{${name}}}`, '{"a":{},"l":[]}'), '');
});

test('loops inside loops end at the limit', () => {
  const list = `[${Array.from({ length: 500 }, (_, i) => i).join(',')}]`;
  const source = `${'{{#l}}'.repeat(6)}{{.}}${'{{/l}}'.repeat(6)}`;
  const before = performance.now();
  assert.match(answer(source, `{"l":${list}}`), /^!mustache_exception: The maximum number of statements/);
  assert.ok(performance.now() - before < 2_000);
  const long = JSON.stringify('x'.repeat(60_000));
  assert.match(answer('{{#l}}{{s}}{{/l}}', `{"l":${list},"s":${long}}`), /takes more memory than the limit/);
});
