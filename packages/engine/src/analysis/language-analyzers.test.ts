// Words of each language become the terms that a recorded OpenSearch 3.1.0 made of them.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseJson } from '../json/parse.ts';
import type { JsonObject } from '../json/value.ts';
import { runToEnd } from '../turn.ts';
import { analyzeRequest } from './analyze.ts';
import { buildAnalysis } from './registry.ts';

// See test/fixtures/languages/capture.ts.
const folder = new URL('../../test/fixtures/languages/', import.meta.url);

for (const file of readdirSync(folder).filter((name) => name.endsWith('.tsv'))) {
  test(`words become terms as in OpenSearch: ${file}`, () => {
    const [head = '', ...rows] = readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n');
    const spec = parseJson(Buffer.from(head)) as JsonObject;
    const analysis = buildAnalysis();
    const wrong = rows.filter((row) => {
      const [word = '', terms = ''] = row.split('\t');
      const { tokens } = runToEnd(
        analyzeRequest(analysis, undefined, { ...spec, text: word }, 1000),
      ) as unknown as {
        tokens: readonly { token: string }[];
      };
      return tokens.map(({ token }) => token).join(' ') !== terms;
    });
    assert.deepEqual(wrong, []);
    assert.ok(rows.length > 100);
  });
}

test('words that are not stemmed are left out where their language says', () => {
  const settings: Record<string, string> = {};
  for (const language of ['german', 'hindi', 'greek']) {
    settings[`index.analysis.analyzer.${language}.type`] = language;
    settings[`index.analysis.analyzer.${language}.stem_exclusion`] = '["häuser","किताबें","ανθρωπων"]';
  }
  const analysis = buildAnalysis(settings);
  const terms = (name: string, text: string): string[] =>
    analysis
      .get(name)!
      .analyze(text)
      .map(({ term }) => term);
  // Normalization comes behind the list of words, so it still changes them.
  assert.deepEqual(terms('german', 'Häuser Kinder'), ['hauser', 'kind']);
  assert.deepEqual(terms('hindi', 'किताबें'), ['किताबें']);
  assert.deepEqual(terms('greek', 'Ανθρώπων Ανθρώπου'), ['ανθρωπων', 'ανθρωπ']);
});

test('Thai words are found without spaces, and its stop words left out', () => {
  const terms = buildAnalysis()
    .get('thai')!
    .analyze('การที่ได้ต้องแสดงว่างานดี และเกาะ ๑๒ ABC')
    .map(({ term }) => term);
  assert.deepEqual(terms, ['แสดง', 'งาน', 'ดี', 'เกาะ', '12', 'abc']);
});

test('parts that are missing are refused by name, each with another one', () => {
  const analysis = buildAnalysis();
  assert.throws(() => analysis.get('galician'), /analyzer \[galician\] is not supported: use the tokenizer/);
  for (const filter of [
    'condition',
    'hunspell',
    'hyphenation_decompounder',
    'kstem',
    'predicate_token_filter',
  ])
    assert.throws(
      () => analysis.filter(filter),
      new RegExp(`filter \\[${filter}\\] is not supported: .* use \\[`),
    );
  for (const language of ['galician', 'kstem', 'light_english', 'portuguese_rslp', 'yiddish'])
    assert.throws(
      () => analysis.filter({ type: 'stemmer', language }),
      new RegExp(`stemmer \\[${language}\\] is not supported: .*\\[`),
    );
});

test('a normalizer of an unknown type is refused', () => {
  assert.throws(
    () => buildAnalysis({ 'index.analysis.normalizer.mine.type': 'foo' }),
    /Unknown normalizer type \[foo\] for \[mine\]/,
  );
});

test('a list of words for compounds has limits', () => {
  const filter = (params: JsonObject): unknown =>
    buildAnalysis().filter({ type: 'dictionary_decompounder', ...params });
  assert.throws(() => filter({}), /word_list must be provided for/);
  assert.throws(() => filter({ word_list: ['a'], min_word_size: -1 }), /minWordSize cannot be negative/);
  assert.throws(() => filter({ word_list: ['a'.repeat(256)] }), /more than 255 letters/);
  const many = Array.from({ length: 14 }, (_, i) => 'a'.repeat(i + 2));
  const analysis = buildAnalysis({
    'index.analysis.filter.parts.type': 'dictionary_decompounder',
    'index.analysis.filter.parts.word_list': JSON.stringify(many),
    'index.analysis.analyzer.parts.tokenizer': 'keyword',
    'index.analysis.analyzer.parts.filter': 'parts',
  });
  assert.throws(() => analysis.get('parts')!.analyze('a'.repeat(1000)), /finds more than 10000 words/);
});
