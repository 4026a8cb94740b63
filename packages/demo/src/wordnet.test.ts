// The reader of WordNet's files yields every synset with words, definition and examples.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGloss, parseSynset, SYNSETS, type Synset, synsets } from './wordnet.ts';

test('a line of the database', () => {
  const line =
    '00001740 29 v 04 breathe 0 take_a_breath 0 respire 0 suspire 3 021 * 00005041 v 0000 02 + 02 00 | draw air into, ' +
    'and expel out of, the lungs; "I can breathe better when the air is clean"; "The patient is respiring"  ';
  const synset = parseSynset(line, 'v', 'verb', new Map([['v00001740', 3]]));
  assert.deepEqual(synset, {
    id: 'v00001740',
    words: ['breathe', 'take a breath', 'respire', 'suspire'],
    pos: 'verb',
    lexname: 'verb.body',
    definition: 'draw air into, and expel out of, the lungs',
    examples: ['I can breathe better when the air is clean', 'The patient is respiring'],
    sense_count: 3,
    score: 4.1,
    gmt_modified: synset.gmt_modified,
  });
  assert.match(synset.gmt_modified, /^20(0[6-9]|1\d|2[0-5])-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test('glosses with quotes in odd places', () => {
  assert.deepEqual(parseGloss(' burned brown; "of an adust complexion"- Sir Walter Scott  '), {
    definition: 'burned brown',
    examples: ['of an adust complexion - Sir Walter Scott'],
  });
  assert.deepEqual(parseGloss(' only words '), { definition: 'only words', examples: [] });
});

test('the whole database: every synset once, with words and a definition', async () => {
  const ids = new Set<string>();
  const parts = new Map<Synset['pos'], number>();
  let counted = 0;
  for (const synset of synsets()) {
    ids.add(synset.id);
    parts.set(synset.pos, (parts.get(synset.pos) ?? 0) + 1);
    if (synset.sense_count > 0) counted++;
    assert.ok(synset.words.length > 0 && synset.words.every((word) => word !== '' && !word.includes('_')));
    assert.ok(synset.definition !== '' && Number.isFinite(synset.score) && synset.lexname !== 'unknown');
  }
  assert.equal(ids.size, SYNSETS);
  assert.deepEqual(Object.fromEntries(parts), { noun: 82192, verb: 13789, adjective: 18185, adverb: 3625 });
  assert.ok(counted > 20_000);
});
