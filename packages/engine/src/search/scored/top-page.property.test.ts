// Pruning finds what scoring everything finds. Random corpora in minis and sealed leaves, with deletes and
// older snapshots; flat queries, restricted or not. Every document, score, place and total is that of a plain
// sort.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { executeSearch } from '../../../test/execute-search.ts';
import { makeView } from '../../../test/query-world.ts';
import { World, worldServices } from '../../../test/search-world.ts';
import { buildAnalysis } from '../../analysis/registry.ts';
import type { SearchRequest, SearchResult } from '../../api.ts';
import { seededRandom } from '../../disk/random.ts';
import type { JsonObject } from '../../json/value.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { createMemory } from '../../memory/arenas.ts';
import { chunkDocs, listDocs } from '../../query/node/chunk-docs.ts';
import { flatPlan } from '../../query/node/flat-plan.ts';
import { borrowScores, returnScores } from '../../query/node/node.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { planQuery } from '../../query/plan-query.ts';
import { switchKernels } from '../../score/kernel/kernel-records.ts';
import { ENTRY_BYTES, HEADER_BYTES, KIND } from '../../segment/format.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type LeafView } from '../../segment/leaf.ts';
import { maskLive } from '../../segment/live-docs.ts';
import { openSegment, type SegmentLeaf } from '../../segment/segment-leaf.ts';
import type { SearchServices } from '../services.ts';

const memory = createMemory();
const WORDS = ['a', 'b', 'c', 'd', 'e', 'f', 'rare'];

interface Shape {
  readonly seed: number;
  readonly batches: number;
  readonly batchSize: number;
  /** Few different documents tie heavily. */
  readonly kinds: number;
  readonly longest: number;
}

/**
 * Texts by Zipf's law, log-normal lengths that drift from batch to batch, so that leaves have averages of
 * their own.
 */
function fill(world: World, { seed, batches, batchSize, kinds, longest }: Shape, seals: boolean): void {
  const random = seededRandom(seed);
  const text = (drift: number): string => {
    const length = Math.max(1, Math.round((longest * drift) ** (0.2 + 0.8 * random())));
    const words: string[] = [];
    for (let i = 0; i < length; i++) {
      const rank = Math.floor((WORDS.length + 1) ** random()) - 1;
      words.push(random() < 0.1 ? `x${Math.floor(random() * 50)}` : WORDS[Math.min(rank, WORDS.length - 1)]!);
    }
    return words.join(' ');
  };
  const texts = Array.from({ length: kinds }, (_, i) => text(1 + (3 * i) / kinds));
  let next = 0;
  for (let b = 0; b < batches; b++) {
    const size = 1 + Math.floor(random() * batchSize);
    const ops = Array.from({ length: size }, () => {
      const old = random() < 0.15 && next > 0;
      const id = `d${old ? Math.floor(random() * next) : next++}`;
      const drawn = Math.floor(random() * kinds * 0.6) + Math.floor((kinds * 0.4 * b) / batches);
      const doc = { t: texts[drawn]!, n: [Math.floor(random() * 10)] };
      return { id, doc: old && random() < 0.5 ? undefined : doc };
    });
    world.write(ops);
    if (seals && random() < 0.2) world.seal();
  }
}

interface Row {
  readonly key: string;
  readonly score: number;
}

/** Parameters that codes were not made for: all lengths alike or not, frequencies that count hardly or much. */
const SIMILARITIES: readonly Readonly<Record<string, string>>[] = [
  {},
  { type: 'boolean' },
  ...[
    { k1: '0', b: '0.75' },
    { k1: '0.3', b: '1' },
    { k1: '12', b: '0' },
    { k1: '4000', b: '0.9' },
  ].map((parameters) => ({ type: 'BM25', ...parameters })),
].map((members) =>
  Object.fromEntries(
    Object.entries(members).map(([key, value]) => [`index.similarity.default.${key}`, value]),
  ),
);

/** A view with the similarity that settings give to its fields. */
function scoredBy(settings: Readonly<Record<string, string>>, view: IndexView): IndexView {
  return { ...view, mapping: parseMapping(view.mapping.toJson(), buildAnalysis(settings)) };
}

/** Scores everything, sorts it: ties stay in insertion order. */
function exhaustive(query: JsonObject, views: readonly IndexView[]): Row[] {
  const rows: Row[] = [];
  const bits = new Uint32Array(CHUNK_WORDS);
  for (const view of views) {
    const plan = planQuery(parseQuery(query), view, { now: 0, scores: true });
    for (const leafView of view.leaves) {
      const { leaf } = leafView;
      const matcher = plan.matcher(leaf);
      for (let chunk = 0; chunk * CHUNK_DOCS < leafView.docCount; chunk++) {
        if (!matcher.match(chunk, bits)) continue;
        maskLive(leafView, chunk, bits);
        const scores = borrowScores();
        matcher.score(chunk, bits, scores);
        const n = listDocs(bits);
        for (const doc of chunkDocs.subarray(0, n)) {
          const number = chunk * CHUNK_DOCS + doc;
          rows.push({ key: `${view.name}/${leaf.docs.seqNo(number)}`, score: Math.fround(scores[doc]!) });
        }
        returnScores(scores.fill(0));
      }
    }
  }
  return rows.sort((a, b) => b.score - a.score);
}

/** Searches twice, by the kernels and by their twins: the same documents, scores and totals. */
async function search(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
): Promise<SearchResult> {
  const compiled = await executeSearch(views, request, services, 0);
  switchKernels(false);
  const twins = await executeSearch(views, request, services, 0);
  switchKernels(true);
  const shown = ({ hits, total }: SearchResult): object => ({
    hits: hits.map(({ index, seqNo, score }) => ({ index, seqNo, score })),
    total,
  });
  assert.deepEqual(shown(compiled), shown(twins), JSON.stringify(request.query));
  return compiled;
}

const word = fc.constantFrom(...WORDS, 'x1', 'x2', 'nowhere');
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const part: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ match: fc.record({ t: text }) }),
  fc.record({ match: fc.record({ t: fc.record({ query: text, operator: fc.constant('and') }) }) }),
  fc.record({ match_phrase: fc.record({ t: text }) }),
  fc.record({ term: fc.record({ t: fc.record({ value: word, boost: fc.constantFrom(0.01, 1, 7) }) }) }),
  fc.record({
    bool: fc.record({
      must: fc.array(
        word.map((w) => ({ term: { t: w } })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  }),
) as fc.Arbitrary<JsonObject>;
const restriction = fc.constantFrom<JsonObject>(
  {},
  { filter: [{ range: { n: { gte: 5 } } }] },
  { filter: [{ term: { n: 3 } }], must_not: [{ term: { t: 'c' } }] },
  { must_not: [{ term: { n: 1 } }] },
);
const query: fc.Arbitrary<JsonObject> = fc.oneof(
  part,
  fc
    .tuple(part, restriction, fc.boolean())
    .map(([inner, rest, optional]) =>
      optional
        ? { bool: { should: [inner], minimum_should_match: 1, ...rest } }
        : { bool: { must: [inner], ...rest } },
    ),
);
const shape: fc.Arbitrary<Shape> = fc.record({
  seed: fc.integer(),
  batches: fc.integer({ min: 1, max: 12 }),
  batchSize: fc.constantFrom(3, 40, 200),
  kinds: fc.constantFrom(3, 20, 400),
  longest: fc.constantFrom(4, 30, 300),
});

test('pruned pages are those of exhaustive scoring', async () => {
  let flat = 0;
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(
      shape,
      fc.array(query, { minLength: 8, maxLength: 8 }),
      fc.nat(3),
      fc.constantFrom(...SIMILARITIES),
      async (corpus, queries, age, settings) => {
        const worlds = [new World('left'), new World('right')];
        fill(worlds[0]!, corpus, true);
        fill(worlds[1]!, { ...corpus, seed: corpus.seed + 1, batches: 2 }, false);
        const services = worldServices();
        for (const given of [
          worlds.map((w) => w.view()),
          [worlds[0]!.view(Math.max(0, worlds[0]!.commit - age))],
        ]) {
          const views = given.map((view) => scoredBy(settings, view));
          for (const json of queries) {
            const plan = planQuery(parseQuery(json), views[0]!, { now: 0, scores: true });
            asked++;
            if (flatPlan(plan) !== undefined) flat++;
            const all = exhaustive(json, views);
            for (const size of [1, 3, 10, 100, 7]) {
              const found = await search(
                views,
                { indices: views.map((v) => v.name), query: json, size, trackTotalHits: size !== 3 },
                services,
              );
              const rows = found.hits.map((h) => ({
                key: `${h.index}/${h.seqNo}`,
                score: Math.fround(h.score),
              }));
              assert.deepEqual(rows, all.slice(0, size), JSON.stringify(json));
              assert.equal(found.more, all.length > size);
              assert.equal(found.total?.value, size === 3 ? undefined : all.length, JSON.stringify(json));
            }
          }
        }
      },
    ),
    { numRuns: 20 },
  );
  assert.ok(flat * 2 > asked, `only ${flat} of ${asked} queries were flat`);
});

test('a page and its neighbours agree beyond the first, and a cap on totals keeps what lies below it', async () => {
  const world = new World('left');
  fill(world, { seed: 7, batches: 9, batchSize: 300, kinds: 30, longest: 20 }, true);
  const services = worldServices();
  const views = [world.view()];
  for (const json of [{ match: { t: 'a b rare' } }, { match_phrase: { t: 'a b' } }, { term: { t: 'c' } }]) {
    const all = exhaustive(json, views).map((row) => row.key);
    for (const from of [1, 17, 180]) {
      const page = await search(views, { indices: ['left'], query: json, from, size: 7 }, services);
      assert.deepEqual(
        page.hits.map((h) => `left/${h.seqNo}`),
        all.slice(from, from + 7),
      );
    }
    for (const trackTotalHits of [5, all.length - 1, all.length, all.length + 1]) {
      const { total } = await search(views, { indices: ['left'], query: json, trackTotalHits }, services);
      const relation = trackTotalHits < all.length ? 'gte' : 'eq';
      assert.deepEqual(total, { value: Math.min(trackTotalHits, all.length), relation });
    }
  }
});

test('dense lists, many blocks and windows, with deaths', async () => {
  const random = seededRandom(11);
  const docs = Array.from({ length: 14_000 }, (_, i) => {
    const length = Math.max(1, Math.round(12 * Math.exp(random() * 2 - 1)));
    const words = Array.from({ length }, () => `w${Math.floor(400 ** random())}`);
    return { id: `d${i}`, source: { t: words.join(' '), n: i % 7 } };
  });
  const mappings = { properties: { t: { type: 'text' }, n: { type: 'integer' } } };
  const made = makeView(mappings, docs, [-9_000, -4_500, 400]);
  const leaves = made.leaves.map((view) => {
    const { leaf } = view;
    for (let doc = 0; doc < leaf.docCount; doc++) if (random() < 0.1) leaf.deaths.append(doc, 1_000_000);
    return { ...view, live: leaf.deaths.liveAt(1_000_000), deathCount: leaf.deaths.count };
  });
  const worlds = SIMILARITIES.map((settings) => ({
    views: [scoredBy(settings, { ...made, leaves })],
    services: worldServices(),
  }));
  const pick = (): string => `w${Math.floor(400 ** random())}`;
  const filter = [{ range: { n: { lte: 2 } } }];
  for (let i = 0; i < 66; i++) {
    // The usual one in every second round.
    const { views, services } = worlds[i % 2 === 0 ? 0 : ((i - 1) / 2) % worlds.length]!;
    const words = Array.from({ length: 1 + (i % 6) }, pick).join(' ');
    const pair = `${pick()} ${pick()}`;
    const rare = [{ term: { t: `w${50 + i * 5}` } }];
    for (const json of [
      { match: { t: words } },
      { match: { t: { query: pair, operator: 'and' } } },
      { match_phrase: { t: pair } },
      { bool: { must: [{ match: { t: words } }], filter } },
      { bool: { must: [{ match: { t: words } }], filter: rare } },
      { bool: { must: [{ match: { t: { query: pair, operator: 'and' } } }], filter: rare } },
      { bool: { must: [{ match_phrase: { t: pair } }], filter: rare } },
      { bool: { must: [{ term: { t: pick() } }, { term: { t: pick() } }, { term: { t: 'w1' } }], filter } },
    ]) {
      const all = exhaustive(json as JsonObject, views);
      for (const size of [1, 10, 100]) {
        const found = await search(views, { indices: ['world'], query: json, size }, services);
        const rows = found.hits.map((h) => ({ key: `world/${h.seqNo}`, score: Math.fround(h.score) }));
        assert.deepEqual(rows, all.slice(0, size), JSON.stringify(json));
        assert.equal(found.total!.value, all.length, JSON.stringify(json));
      }
    }
  }
});

/** The segment as an older version wrote it: 1 without halves of positions, 2 without their residues. */
function asVersion(version: 1 | 2, view: LeafView): LeafView {
  const unknown: readonly number[] =
    version === 1 ? [KIND.positionHalves, KIND.positionResidues] : [KIND.positionResidues];
  const { bytes, deaths } = view.leaf as SegmentLeaf;
  const block = memory.alloc(bytes.length);
  const old = new Uint8Array(block.buffer, block.ptr, bytes.length);
  old.set(bytes);
  const words = new DataView(old.buffer, old.byteOffset, old.length);
  words.setUint32(8, version, true);
  for (let i = 0, at = HEADER_BYTES; i < words.getUint32(20, true); i++, at += ENTRY_BYTES)
    if (unknown.includes(words.getUint16(at, true))) words.setUint16(at, 0xffff, true);
  return { ...view, leaf: openSegment(old, { deaths }) };
}

test('phrases are found wherever positions begin, in segments of older versions too', async () => {
  const random = seededRandom(17);
  const services = worldServices();
  for (const longest of [8, 300]) {
    // Documents of words that come seldom, and some of so many that a half is longer than a byte can say.
    const docs = Array.from({ length: 800 }, (_, i) => {
      const length = 1 + Math.floor((i % 9 === 0 ? longest * 4 : longest) * random());
      const words = Array.from({ length }, () => WORDS[Math.floor(WORDS.length * random() ** 2)]!);
      if (i % 90 === 0) words.splice(0, 0, ...Array.from({ length: 9_000 }, () => 'x'));
      return { id: `d${i}`, source: { t: words.join(' ') } };
    });
    const view = makeView({ properties: { t: { type: 'text' } } }, docs, [-600, -200]);
    const older = ([1, 2] as const).map((version) => {
      return { ...view, leaves: view.leaves.map((one) => asVersion(version, one)) };
    });
    for (const t of ['a b', 'b a', 'a a', 'f rare', 'rare x', 'x a', 'c rare b']) {
      const json: JsonObject = { match_phrase: { t } };
      const all = exhaustive(json, [view]);
      for (const size of [1, 10, 800]) {
        for (const trackTotalHits of [false, true]) {
          for (const one of [view, ...older]) {
            const request = { indices: ['world'], query: json, size, trackTotalHits };
            const found = await search([one], request, services);
            const rows = found.hits.map((h) => ({ key: `world/${h.seqNo}`, score: Math.fround(h.score) }));
            assert.deepEqual(rows, all.slice(0, size), t);
            if (trackTotalHits) assert.equal(found.total!.value, all.length, t);
          }
        }
      }
    }
  }
});

test('phrases count what stands on one place twice as exhaustive scoring does', async () => {
  const random = seededRandom(5);
  const letters = (): string =>
    Array.from({ length: 2 + Math.floor(random() * 4) }, () => 'ab'[Math.floor(random() * 2)]).join('');
  const docs = Array.from({ length: 300 }, (_, i) => {
    const source = { t: Array.from({ length: 1 + Math.floor(random() * 7) }, letters).join(' ') };
    return { id: `d${i}`, source };
  });
  const settings = {
    'index.analysis.filter.pairs.type': 'ngram',
    'index.analysis.filter.pairs.min_gram': '2',
    'index.analysis.filter.pairs.max_gram': '2',
    'index.analysis.analyzer.grams.type': 'custom',
    'index.analysis.analyzer.grams.tokenizer': 'whitespace',
    'index.analysis.analyzer.grams.filter': 'pairs',
  };
  const mappings = { properties: { t: { type: 'text', analyzer: 'grams', search_analyzer: 'whitespace' } } };
  const views = [makeView(mappings, docs, [-150, 100], settings)];
  const services = worldServices();
  const grams = ['aa', 'ab', 'ba', 'bb'];
  for (let i = 0; i < 64; i++) {
    const t = [grams[i & 3], grams[(i >> 2) & 3], ...(i > 31 ? [grams[(i >> 4) & 3]] : [])].join(' ');
    const json: JsonObject = { match_phrase: { t } };
    const all = exhaustive(json, views);
    const found = await search(views, { indices: ['world'], query: json, size: 20 }, services);
    const rows = found.hits.map((h) => ({ key: `world/${h.seqNo}`, score: Math.fround(h.score) }));
    assert.deepEqual(rows, all.slice(0, 20), t);
    assert.equal(found.total!.value, all.length, t);
  }
});

test('words of few postings, alone and together with others, beside one that is everywhere', async () => {
  const random = seededRandom(29);
  const times = (word: string, most: number): string => `${word} `.repeat(1 + Math.floor(random() * most));
  const docs = Array.from({ length: 13_000 }, (_, i) => {
    let text = times('filler', 40);
    if (random() < 0.4) text += times('often', 6);
    for (let w = 0; w < 6; w++) if (random() < 0.03) text += times(`some${w}`, 12);
    for (let w = 0; w < 6; w++) if (random() < 0.004) text += times(`rare${w}`, 6);
    return { id: `d${i}`, source: { t: text } };
  });
  const made = makeView({ properties: { t: { type: 'text' } } }, docs, [-7_000, -4_000, -1_500, 500]);
  const leaves = made.leaves.map((view, i) => {
    const { leaf } = view;
    for (let doc = 0; doc < leaf.docCount; doc++) if (random() < 0.1) leaf.deaths.append(doc, 1_000_000);
    // One leaf of which everything lives.
    return i === 1 ? view : { ...view, live: leaf.deaths.liveAt(1_000_000), deathCount: leaf.deaths.count };
  });
  const worlds = SIMILARITIES.map((settings) => ({
    views: [scoredBy(settings, { ...made, leaves })],
    services: worldServices(),
  }));
  const some = (name: string, count: number): string[] =>
    Array.from({ length: count }, () => `${name}${Math.floor(random() * 6)}`);
  for (let i = 0; i < 80; i++) {
    const { views, services } = worlds[i % 5 === 0 ? 0 : i % worlds.length]!;
    const words = [...some('some', i % 4), ...some('rare', 1 + (i % 3)), ...(i % 2 ? ['often'] : [])];
    const json: JsonObject = { match: { t: words.join(' ') } };
    const all = exhaustive(json, views);
    for (const size of [1, 5, 20, 31, 60]) {
      const found = await search(views, { indices: ['world'], query: json, size }, services);
      const rows = found.hits.map((h) => ({ key: `world/${h.seqNo}`, score: Math.fround(h.score) }));
      assert.deepEqual(rows, all.slice(0, size), JSON.stringify(json));
      assert.equal(found.total!.value, all.length, JSON.stringify(json));
      const request = { indices: ['world'], query: json, size, trackTotalHits: false };
      const ranked = await search(views, request, services);
      assert.deepEqual(
        ranked.hits.map((h) => `world/${h.seqNo}`),
        rows.map((row) => row.key),
      );
    }
  }
});
