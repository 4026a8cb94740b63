// The parser reads minimum_should_match as the peer does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../errors.ts';
import { minimumShouldMatch } from './minimum-should-match.ts';
import { MatchCounters } from './node/clauses/match-counters.ts';

test('counts, percentages, conditions', () => {
  const cases: [number, string, number][] = [
    [4, '2', 2],
    [4, '-1', 3],
    [4, '-9', 0],
    [4, '7', 7],
    [4, '75%', 3],
    [3, '75%', 2],
    [4, '-25%', 3],
    [5, '-25%', 4],
    [3, '-25%', 3],
    [2, '2<-25%', 2],
    [4, '2<-25%', 3],
    [12, '2<-25% 9<-3', 9],
    [5, ' 2 < 50% ', 2],
    [0, '50%', 0],
  ];
  for (const [clauses, spec, least] of cases)
    assert.equal(minimumShouldMatch(clauses, spec), least, `${clauses} of ${spec}`);
  for (const spec of ['', 'x', '50%%', '2<', '<3', '1.5'])
    assert.throws(() => minimumShouldMatch(4, spec), EngineError, spec);
});

test('counting sets gives what counting one by one gives', () => {
  const counters = new MatchCounters(9);
  const counts = new Array<number>(65_536).fill(0);
  for (let round = 0; round < 2; round++) {
    counters.clear();
    counts.fill(0);
    for (let set = 1; set <= 9; set++) {
      const bits = new Uint32Array(2048);
      for (let doc = round; doc < 65_536; doc += set) {
        bits[doc >>> 5]! |= 1 << (doc & 31);
        counts[doc]!++;
      }
      counters.add(bits);
    }
    for (let m = 1; m <= 17; m++) {
      const bits = new Uint32Array(2048).fill(0xabcdef);
      assert.equal(counters.atLeast(m, bits), m <= 9);
      for (let doc = 0; doc < 65_536; doc += 97) {
        assert.equal(((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 1, counts[doc]! >= m, `${doc} ${m}`);
      }
    }
  }
});
