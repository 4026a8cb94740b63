// What is offered depends on where the word is written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionsAt } from './completion.ts';
import { jsonPath } from './json-path.ts';

const FIELDS = [{ name: 'title', type: 'text' }];

test('the path of a place in an unfinished text', () => {
  for (const [text, path, isValue] of [
    ['', [], false],
    ['{ "', [], false],
    ['{"query": {"', ['query'], false],
    ['{"query": {"bool": {"must": [{"match": {"', ['query', 'bool', 'must', 'match'], false],
    ['{"a": {"b": 1}, "query": {"t', ['query'], false],
    ['{"a": "br{ac\\"e", "sort": [{"v": "', ['sort', 'v'], true],
    ['{"size": 1, "from": ', ['from'], true],
  ] as const)
    assert.deepEqual(jsonPath(text), { path, isValue }, text);
});

test('members, queries, fields and values are offered where they belong', () => {
  for (const [text, some, none] of [
    ['{"', 'query', 'title'],
    ['{"query":{"', 'bool', 'query'],
    ['{"query":{"bool":{"', 'must', 'match'],
    ['{"query":{"bool":{"must":[{"', 'match', 'must'],
    ['{"query":{"match":{"', 'title', 'match'],
    ['{"query":{"range":{"title":{"', 'gte', 'title'],
    ['{"query":{"exists":{"field":"', 'title', 'match'],
    ['{"sort":[{"', 'title', 'query'],
    ['{"sort":[{"title":"', 'desc', 'title'],
    ['{"aggs":{"mine":{"', 'terms', 'title'],
    ['{"aggs":{"mine":{"terms":{"', 'field', 'match'],
    ['{"aggs":{"mine":{"terms":{"field":"', 'title', 'terms'],
  ] as const) {
    const labels = optionsAt(text, FIELDS).map(({ label }) => label);
    assert.ok(labels.includes(some), `${text}: ${some}`);
    assert.ok(!labels.includes(none), `${text}: ${none}`);
  }
});
