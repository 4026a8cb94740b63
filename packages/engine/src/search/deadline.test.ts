// A search lets others run and ends in time, whatever must be looked up before it can begin. A clock that the
// test moves counts the slices, so that nothing depends on the speed of the machine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executeSearch } from '../../test/execute-search.ts';
import { World, worldServices } from '../../test/search-world.ts';
import type { SearchResult } from '../api.ts';
import { Highlighter } from '../highlight/highlighter.ts';
import { readHighlight } from '../highlight/read-highlight.ts';
import type { JsonObject } from '../json/value.ts';
import type { Automaton } from '../patterns/automaton/automaton.ts';
import { wildcardAutomaton } from '../patterns/automaton/literal.ts';
import { EditAutomaton } from '../query/automaton/edit-automaton.ts';
import { walkTerms } from '../query/automaton/walk-terms.ts';
import { runToEnd } from '../turn.ts';

const WORDS = 3_000;

/** Words of six letters that share no long beginnings. */
function word(n: number): string {
  let x = (n * 2_654_435_761) % 308_915_776;
  let out = '';
  for (let i = 0; i < 6; i++) {
    out += String.fromCharCode(97 + (x % 26));
    x = Math.floor(x / 26);
  }
  return out;
}

function dictionary(sealed: boolean): World {
  const world = new World('w');
  for (let i = 0; i < WORDS; i += 10) {
    const t = Array.from({ length: 10 }, (_, k) => word(i + k)).join(' ');
    world.write([{ id: `d${i}`, doc: { t } }]);
  }
  if (sealed) world.seal();
  return world;
}

const nearWords: JsonObject = {
  query_string: { query: Array.from({ length: 60 }, (_, i) => `qqz${i}zqq~2`).join(' '), fields: ['t'] },
};
const patterns: JsonObject = {
  bool: { should: Array.from({ length: 60 }, (_, i) => ({ wildcard: { t: `*${word(i).slice(2, 4)}*` } })) },
};
const beginnings: JsonObject = {
  bool: {
    should: Array.from({ length: 60 }, (_, i) => ({ match_phrase_prefix: { t: word(i).slice(0, 2) } })),
  },
};
const required: JsonObject = { bool: { filter: [patterns, nearWords] } };

/**
 * Runs a search whose clock moves by `tick` ms with every look at it, and counts the looks and the turns it
 * gave way.
 */
async function timed(
  world: World,
  query: JsonObject,
  tick: number,
  timeoutMs?: number,
): Promise<SearchResult & { looks: number; turns: number }> {
  let looks = 0;
  let turns = 0;
  let running = true;
  const turn = (): void => {
    turns++;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const services = { ...worldServices(), clock: () => tick * looks++ };
  const request = { indices: ['w'], query, size: 10, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const result = await executeSearch([world.view()], request, services, world.commit);
  running = false;
  return { ...result, looks, turns };
}

for (const sealed of [true, false]) {
  const place = sealed ? 'a segment' : 'the tail';
  for (const [name, query] of Object.entries({ nearWords, patterns, beginnings, required })) {
    test(`a search gives way while it looks terms up in ${place}: ${name}`, async () => {
      const { turns, timedOut } = await timed(dictionary(sealed), query, 3);
      assert.equal(timedOut, false);
      assert.ok(turns >= 60, `${turns} turns`);
    });

    test(`a deadline ends a search that looks terms up in ${place}: ${name}`, async () => {
      const { looks, timedOut, hits } = await timed(dictionary(sealed), query, 1, 20);
      assert.equal(timedOut, true);
      assert.ok(looks < 60, `the clock was looked at ${looks} times after 20`);
      assert.deepEqual(
        hits.map((hit) => hit.id),
        [],
      );
    });
  }
}

test('a search gives way between the values that it highlights', () => {
  const world = new World('w');
  world.write([{ id: 'd', doc: { t: 'common' } }]);
  const { compat, limits } = worldServices();
  const context = { now: 0, scores: true, keepsAbsent: true, compat, limits: limits.query };
  const query = { match: { t: 'common' } };
  const fields = readHighlight({ fields: { t: {} } });
  const highlighter = runToEnd(Highlighter.plan(world.view(), fields, { query }, context));
  const t = Array.from({ length: 200 }, (_, i) => `common ${word(i)}`);
  let steps = 0;
  const work = highlighter.highlight('d', Buffer.from(JSON.stringify({ t })));
  for (let step = work.next(); step.done !== true; step = work.next()) steps++;
  assert.ok(steps >= 200, `${steps} steps`);
});

/** Counts the steps of an automaton. */
function counting(inner: Automaton): Automaton & { steps: number } {
  return {
    steps: 0,
    key: inner.key,
    start: inner.start,
    step(state, codePoint) {
      this.steps++;
      return inner.step(state, codePoint);
    },
    liveAfter: (state, codePoint) => inner.liveAfter(state, codePoint),
    acceptsAll: (state) => inner.acceptsAll(state),
    accepts: (state) => inner.accepts(state),
  };
}

test('between two yields a walk takes a bounded number of steps, and it skips what cannot match', () => {
  const [view] = dictionary(true).view().leaves;
  const terms = view!.leaf.terms('t')!;
  for (const make of [
    () => wildcardAutomaton('*q*z', false, 10_000),
    () => new EditAutomaton(word(5), 2, 0, true),
  ]) {
    const automaton = counting(make());
    const steps = walkTerms(terms, automaton, () => {});
    let most = 0;
    for (let before = 0; !steps.next().done; before = automaton.steps) {
      most = Math.max(most, automaton.steps - before);
    }
    assert.ok(most <= 512 * 6, `${most} steps between two yields`);
  }
  const one = counting(new EditAutomaton(word(5), 1, 0, true));
  let found = 0;
  for (const steps = walkTerms(terms, one, () => found++); !steps.next().done; );
  assert.ok(found >= 1);
  assert.ok(one.steps < WORDS, `${one.steps} steps for ${WORDS} terms`);
});
