import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { copyAs, LANGUAGES } from './copy-as.ts';

const request = {
  method: 'POST',
  path: "/i/_search?q=it's",
  body: '{\n  "query": {"match": {"t": "it\'s \\"$x\\" `y`"}}\n}',
};

test('a shell reads back what curl is given', () => {
  const code = copyAs('curl', 'http://h:1', request).replace(/^curl/, 'printf "%s\\n"');
  const said = execFileSync('/bin/sh', ['-c', code], { encoding: 'utf8' }).split('\n');
  assert.equal(said[2], "http://h:1/i/_search?q=it's");
  assert.deepEqual(JSON.parse(said[6]!), JSON.parse(request.body));
});

test('the others are code without a fault', () => {
  for (const language of LANGUAGES.filter((one) => !['curl', 'opensearch-py'].includes(one)))
    for (const body of [request.body, ''])
      assert.ok(stripTypeScriptTypes(copyAs(language, 'http://h:1', { ...request, body })), language);
});

test('integers stay exact, and lines of JSON stay lines', () => {
  const term = { method: 'POST', path: '/_search', body: '{"query": {"term": {"n": 9007199254740993}}}' };
  const bulk = { method: 'POST', path: '/_bulk', body: '{"index": {}}\n{"n": 1}' };
  for (const language of LANGUAGES) {
    assert.match(copyAs(language, 'http://h', term), /9007199254740993/, language);
    assert.match(copyAs(language, 'http://h', bulk), /\\n\{|\n\{/, language);
    if (language === 'opensearch-py') continue;
    for (const request of [term, bulk])
      assert.ok(language === 'curl' || stripTypeScriptTypes(copyAs(language, 'http://h', request)));
  }
  assert.match(copyAs('fetch', 'http://h', term), /body: "\{/);
});

test('fetch sends no body by GET', () => {
  const search = { method: 'GET', path: '/_search', body: '{}' };
  assert.match(copyAs('fetch', 'http://h', search), /method: "POST"/);
  assert.doesNotMatch(copyAs('fetch', 'http://h', { ...search, path: '/_cat/indices' }), /body:/);
});

test('a request without a body has none', () => {
  for (const language of LANGUAGES)
    assert.doesNotMatch(
      copyAs(language, 'http://h', { method: 'GET', path: '/', body: ' ' }),
      /body[=:]|text:|--data/,
    );
});
