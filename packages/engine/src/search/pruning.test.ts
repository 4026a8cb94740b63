// Pruning looks at few postings. Answers are right even if everything is looked at, so work is counted from
// outside: codes of a block are raised while its largest code stays as it was. A search that reads them finds
// other documents; one that skips the block, because of its largest code, finds the same as before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { executeSearch } from '../../test/execute-search.ts';
import { worldServices } from '../../test/search-world.ts';
import { buildAnalysis } from '../analysis/registry.ts';
import { seededRandom } from '../disk/random.ts';
import type { JsonObject } from '../json/value.ts';
import { noKernels } from '../kernels/no-kernels.testing.ts';
import { parseMapping } from '../mapping/index-mapping.ts';
import { shortestFloat } from '../mapping/types/shortest-float.ts';
import { createMemory } from '../memory/arenas.ts';
import { parseQuery } from '../query/parse.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import { planQuery } from '../query/plan-query.ts';
import { switchKernels } from '../score/kernel/kernel-records.ts';
import { TopK } from '../score/top-k.ts';
import { BLOCK_POSTINGS } from '../segment/format.ts';
import type { Leaf, Postings } from '../segment/leaf.ts';
import { copySegment } from '../segment/section-writer.ts';
import { openSegment } from '../segment/segment-leaf.ts';
import { Tail } from '../tail/tail.ts';
import { Deadline, runInSlices } from './deadline.ts';
import { leafTasks } from './leaf-task.ts';
import { scanMatches } from './scored/scored-scan.ts';
import { collectInto } from './scored/top-page.ts';

const encoder = new TextEncoder();
const analysis = buildAnalysis({});
const mapping = parseMapping({ properties: { t: { type: 'text' } } }, analysis);
const services = worldServices();
/** All in one arena, so that kernels have all leaves. */
const memory = createMemory();
const LENGTH = 12;

/**
 * Documents that have `a` and `b` once, a third each; but for some that are near one another and have both
 * twice.
 */
function leafOf(docCount: number, hasBoth: (doc: number) => boolean): Leaf {
  const random = seededRandom(docCount);
  const tail = new Tail(memory);
  const { spec } = mapping.field('t')!;
  const [a, b, other] = ['a', 'b', 'other'].map((word) => encoder.encode(word)) as [
    Uint8Array,
    ...Uint8Array[],
  ];
  for (let doc = 0; doc < docCount; doc++) {
    const id = encoder.encode(`${doc}`);
    const place = { chunk: 0, offset: doc, length: 1 };
    tail.begin({ id, seqNo: doc, version: 1, type: '_doc', routing: undefined, commit: 1, ...place });
    let at = 0;
    const put = (word: Uint8Array, times: number): void => {
      for (let i = 0; i < times; i++) tail.term(spec, word, 0, word.length, at++);
    };
    for (const word of [a, b!]) put(word, hasBoth(doc) ? 2 : Number(random() < 1 / 3));
    put(other!, LENGTH - at);
    tail.end();
  }
  tail.closeBatch();
  const steps = tail.seal();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const block = memory.alloc(step.value.byteLength);
  const bytes = new Uint8Array(block.buffer, block.ptr, step.value.byteLength);
  copySegment(step.value, bytes);
  return openSegment(bytes);
}

const isGood = (doc: number): boolean => doc > 2_000 && doc < 4_000 && doc % 40 === 0;
/** The first one has the best, the second one as good documents in few of its blocks, the third one none. */
const leaves = [leafOf(5_000, isGood), leafOf(60_000, isGood), leafOf(20_000, () => false)];
const view: IndexView = {
  name: 'skewed',
  uuid: 'skewed',
  mapping,
  settings: {},
  leaves: leaves.map((leaf) => {
    const { docCount } = leaf;
    return { leaf, docCount, live: undefined, liveCount: docCount, deathCount: 0 };
  }),
  analyzer: (name) => analysis.get(name),
};

/** How the ten best are found: scores, which say all. */
type Way = (query: JsonObject) => Promise<readonly number[]>;

const pruned =
  (trackTotalHits: boolean): Way =>
  async (query) => {
    const { hits } = await executeSearch([view], { indices: ['skewed'], query, trackTotalHits }, services, 1);
    return hits.map(({ score }) => score);
  };

const everything: Way = async (query) => {
  const top = new TopK(10);
  const tasks = leafTasks([view], [planQuery(parseQuery(query), view, { now: 0, scores: true })]);
  const limits = { minScore: undefined, limitPerIndex: undefined };
  const deadline = new Deadline();
  await runInSlices(scanMatches(tasks, limits, deadline, collectInto(top)), deadline);
  return [...top.drain().scores].map(shortestFloat);
};

/** The share of the blocks of two words that were looked at. */
async function lookedAt(words: readonly string[], query: JsonObject, way: Way): Promise<number> {
  const due = await everything(query);
  let [seen, blocks] = [0, 0];
  for (const leaf of leaves) {
    const norms = leaf.norms('t')!;
    const terms = leaf.terms('t')!;
    const { postings } = terms;
    for (const word of words) {
      const group = postings.firstGroup(terms.find(encoder.encode(word), 0, word.length));
      const end = postings.end(group);
      for (let from = postings.start(group); from < end; from += BLOCK_POSTINGS, blocks++) {
        const to = Math.min(end, from + BLOCK_POSTINGS);
        const codes = postings.code.slice(from, to);
        for (let p = from; p < to; p++) postings.code[p] = highest(postings, norms[postings.lo[p]!]!);
        if (!isDeepStrictEqual(await way(query), due)) seen++;
        postings.code.set(codes, from);
      }
    }
  }
  assert.deepEqual(await way(query), due);
  return seen / blocks;
}

/** The highest code that says how often a word stands in a document of such a length. */
function highest({ freqs }: Postings, norm: number): number {
  let code = 255;
  while (freqs![(norm << 8) | code] === 0) code--;
  return code;
}

const CASES: readonly [name: string, words: readonly string[], query: JsonObject][] = [
  ['one term', ['a'], { match: { t: 'a' } }],
  ['any of two', ['a', 'b'], { match: { t: 'a b' } }],
  ['all of two', ['a', 'b'], { match: { t: { query: 'a b', operator: 'and' } } }],
];

for (const [name, words, query] of CASES) {
  test(`${name}: who scores everything looks at all blocks`, async () => {
    assert.equal(await lookedAt(words, query, everything), 1);
  });

  for (const [who, on] of [
    ['kernels', true],
    ['twins', false],
  ] as const) {
    test(`${name}: ${who} look at a fifth of the blocks at most`, { skip: on && noKernels }, async () => {
      switchKernels(on);
      try {
        for (const total of [false, true]) {
          const share = await lookedAt(words, query, pruned(total));
          assert.ok(share > 0 && share <= 0.2, `${share}`);
        }
      } finally {
        switchKernels(true);
      }
    });
  }
}
