// The benefit of pruning: the ten best hits of each class of text queries, in process, by scoring everything
// and by the normal search, with and without exact totals. Answers are compared. Informal: a figure is the
// median over queries of their best time in µs, on the current machine.
//
//   node bench/inprocess/pruning.ts [documents] [rounds]

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAnalysis } from '../../packages/engine/src/analysis/registry.ts';
import type { JsonObject } from '../../packages/engine/src/json/value.ts';
import { mapDocument } from '../../packages/engine/src/mapping/document/map-document.ts';
import { parseMapping } from '../../packages/engine/src/mapping/index-mapping.ts';
import { createMemory } from '../../packages/engine/src/memory/arenas.ts';
import { parseQuery } from '../../packages/engine/src/query/parse.ts';
import type { IndexView } from '../../packages/engine/src/query/plan/index-view.ts';
import { planQuery } from '../../packages/engine/src/query/plan-query.ts';
import { TopK } from '../../packages/engine/src/score/top-k.ts';
import { SearchCaches } from '../../packages/engine/src/search/caches/search-caches.ts';
import { Deadline, runInSlices } from '../../packages/engine/src/search/deadline.ts';
import { leafTasks } from '../../packages/engine/src/search/leaf-task.ts';
import { scanMatches } from '../../packages/engine/src/search/scored/scored-scan.ts';
import { collectInto } from '../../packages/engine/src/search/scored/top-page.ts';
import { DEFAULT_SEARCH_LIMITS } from '../../packages/engine/src/search/search-limits.ts';
import type { SearchServices } from '../../packages/engine/src/search/services.ts';
import type { LeafView } from '../../packages/engine/src/segment/leaf.ts';
import { copySegment } from '../../packages/engine/src/segment/section-writer.ts';
import { openSegment } from '../../packages/engine/src/segment/segment-leaf.ts';
import { Tail } from '../../packages/engine/src/tail/tail.ts';
import { executeSearch } from '../../packages/engine/test/execute-search.ts';
import { draft, randomFrom, spell } from '../corpus/corpus.ts';
import { queryClasses, toWire } from '../corpus/queries.ts';

const DOCS = Number(process.argv[2] ?? 300_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const LEAF_DOCS = Math.ceil(DOCS / 6);
const DEAD = 0.1;

const analysis = buildAnalysis({});
const mappings = { properties: { body: { type: 'text' } } };
let mapping = parseMapping(mappings as JsonObject, analysis);

function segment(first: number, end: number): Uint8Array {
  const path = join(tmpdir(), `octavo-pruning-${first}-${end}.segment`);
  if (existsSync(path)) return new Uint8Array(readFileSync(path));
  const tail = new Tail(createMemory());
  for (let i = first; i < end; i++) {
    const { id, body } = spell(draft(i));
    const bytes = new TextEncoder().encode(JSON.stringify({ body }));
    const place = { chunk: 0, offset: 0, length: bytes.length };
    const idBytes = new TextEncoder().encode(id);
    tail.begin({ id: idBytes, seqNo: i, version: 1, type: '_doc', routing: undefined, commit: 1, ...place });
    mapping = mapDocument(mapping, bytes, 0, bytes.length, tail, { id });
    tail.end();
  }
  tail.closeBatch();
  const steps = tail.seal();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const bytes = new Uint8Array(step.value.byteLength);
  copySegment(step.value, bytes);
  writeFileSync(path, bytes);
  return bytes;
}

function view(): IndexView {
  const random = randomFrom(99);
  const leaves: LeafView[] = [];
  for (let first = 0; first < DOCS; first += LEAF_DOCS) {
    const leaf = openSegment(segment(first, Math.min(DOCS, first + LEAF_DOCS)));
    for (let doc = 0; doc < leaf.docCount; doc++) if (random() < DEAD) leaf.deaths.append(doc, 2);
    const { docCount, deaths } = leaf;
    const liveCount = docCount - deaths.count;
    leaves.push({ leaf, docCount, live: deaths.liveAt(2), liveCount, deathCount: deaths.count });
  }
  const analyzer = (name: string) => analysis.get(name);
  return { name: 'corpus', uuid: 'corpus', mapping, settings: {}, leaves, analyzer };
}

const index = view();
const services: SearchServices = {
  caches: new SearchCaches(),
  compat: 'opensearch',
  limits: DEFAULT_SEARCH_LIMITS,
  now: () => 0,
  readSource: () => new Uint8Array(0),
  copySource: () => {},
  background: () => {},
};

type Way = (query: JsonObject) => Promise<readonly number[]>;

const search =
  (trackTotalHits: boolean): Way =>
  async (query) => {
    const found = await executeSearch([index], { indices: ['corpus'], query, trackTotalHits }, services, 0);
    return found.hits.map((hit) => hit.seqNo);
  };

const ways: Record<string, Way> = {
  async everything(query) {
    const plan = planQuery(parseQuery(query, services.limits.query), index, { now: 0, scores: true });
    const top = new TopK(10);
    const tasks = leafTasks([index], [plan]);
    const limits = { minScore: undefined, limitPerIndex: undefined };
    const deadline = new Deadline();
    await runInSlices(scanMatches(tasks, limits, deadline, collectInto(top)), deadline);
    const seqNos: number[] = [];
    for (const position of top.drain().docs) {
      const { docs } = tasks[Math.floor(position / 2 ** 32)]!.view.leaf;
      seqNos.push(docs.seqNo(position % 2 ** 32));
    }
    return seqNos;
  },
  'with total': search(true),
  'without total': search(false),
};

const median = (list: number[]): number => list.sort((a, b) => a - b)[list.length >>> 1] ?? Number.NaN;

const rows: Record<string, Record<string, number>> = {};
for (const { name, queries } of queryClasses(DOCS)) {
  const row: Record<string, number> = {};
  const times = Object.fromEntries(Object.keys(ways).map((way) => [way, queries.map((): number[] => [])]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const [q, query] of queries.entries()) {
      let due: string | undefined;
      for (const [way, run] of Object.entries(ways)) {
        const start = performance.now();
        const answer = JSON.stringify(await run(toWire(query) as JsonObject));
        if (round >= 0) times[way]![q]!.push((performance.now() - start) * 1000);
        due ??= answer;
        if (answer !== due)
          throw new Error(`${name}: ${JSON.stringify(query)}: ${answer} for ${due} by ${way}`);
      }
    }
  }
  for (const way of Object.keys(ways))
    row[way] = Math.round(median(times[way]!.map((list) => Math.min(...list))) * 10) / 10;
  rows[name] = row;
}
console.table(rows);
