// An index for measurements without a server: the corpus as sealed segments in an arena, each smaller than
// the one before, with a tenth of the documents deleted.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAnalysis } from '../../packages/engine/src/analysis/registry.ts';
import type { JsonObject } from '../../packages/engine/src/json/value.ts';
import { mapDocument } from '../../packages/engine/src/mapping/document/map-document.ts';
import { parseMapping } from '../../packages/engine/src/mapping/index-mapping.ts';
import { createMemory } from '../../packages/engine/src/memory/arenas.ts';
import { FrozenStatistics } from '../../packages/engine/src/query/plan/frozen-statistics.ts';
import type { IndexView } from '../../packages/engine/src/query/plan/index-view.ts';
import { SearchCaches } from '../../packages/engine/src/search/caches/search-caches.ts';
import { DEFAULT_SEARCH_LIMITS } from '../../packages/engine/src/search/search-limits.ts';
import type { SearchServices } from '../../packages/engine/src/search/services.ts';
import { SEGMENT_VERSION } from '../../packages/engine/src/segment/format.ts';
import type { LeafView } from '../../packages/engine/src/segment/leaf.ts';
import { copySegment } from '../../packages/engine/src/segment/section-writer.ts';
import { openSegment } from '../../packages/engine/src/segment/segment-leaf.ts';
import { Tail } from '../../packages/engine/src/tail/tail.ts';
import { type Doc, draft, isDeleted, spell } from '../corpus/corpus.ts';

/** The number of segments; the last ones are small. */
const SEGMENTS = 10;
const SHRINK = 0.55;

/** The corpus as a searchable index. */
export interface InProcessIndex {
  readonly index: IndexView;
  readonly services: SearchServices;
  /** Bytes of the segments. */
  readonly bytes: number;
}

/** The indexed fields of the documents, and the sizes of the segments. */
export interface IndexShape {
  /** Part of the file names. */
  readonly name: string;
  readonly properties: JsonObject;
  readonly sourceOf: (doc: Doc) => object;
  readonly sizes: readonly number[];
}

/** The shape with bodies in ten segments. */
export function bodiesOf(docs: number): IndexShape {
  const properties = { body: { type: 'text' } };
  return { name: '150', properties, sourceOf: ({ body }) => ({ body }), sizes: segmentSizes(docs) };
}

/** The number of documents of each segment; each is `shrink` times the one before. */
export function segmentSizes(docs: number, segments: number = SEGMENTS, shrink: number = SHRINK): number[] {
  const whole = (1 - shrink ** segments) / (1 - shrink);
  const sizes = Array.from({ length: segments }, (_, i) => Math.floor((docs * shrink ** i) / whole));
  sizes[0]! += docs - sizes.reduce((sum, n) => sum + n, 0);
  return sizes;
}

const analysis = buildAnalysis({});

/** Builds the index, or reads its segments from `folder`. Building takes about 200 µs per document with a body. */
export function makeInProcessIndex(shape: IndexShape, folder: string = folderOf(shape)): InProcessIndex {
  mkdirSync(folder, { recursive: true });
  const mapping = parseMapping({ properties: shape.properties }, analysis);
  const memory = createMemory();
  const leaves: LeafView[] = [];
  let bytes = 0;
  let first = 0;
  for (const size of shape.sizes) {
    const segment = segmentOf(join(folder, `${first}-${size}.segment`), first, size, mapping, shape.sourceOf);
    const block = memory.alloc(segment.byteLength);
    const view = new Uint8Array(block.buffer, block.ptr, segment.byteLength);
    view.set(segment);
    bytes += view.length;
    const leaf = openSegment(view);
    for (let doc = 0; doc < size; doc++) if (isDeleted(first + doc)) leaf.deaths.append(doc, 2);
    const { docCount, deaths } = leaf;
    const liveCount = docCount - deaths.count;
    leaves.push({ leaf, docCount, live: deaths.liveAt(2), liveCount, deathCount: deaths.count });
    first += size;
  }
  const analyzer = (name: string) => analysis.get(name);
  const statistics = new FrozenStatistics();
  return {
    index: { name: 'corpus', uuid: 'corpus', mapping, settings: {}, leaves, analyzer, statistics },
    services: {
      caches: new SearchCaches({}, memory),
      compat: 'opensearch',
      limits: DEFAULT_SEARCH_LIMITS,
      now: () => 0,
      readSource: () => new Uint8Array(0),
      copySource: () => {},
      background: () => {},
    },
    bytes,
  };
}

function folderOf({ name, sizes }: IndexShape): string {
  const docs = sizes.reduce((sum, n) => sum + n, 0);
  return join(tmpdir(), `octavo-world-${name}-v${SEGMENT_VERSION}-${docs}`);
}

function segmentOf(
  path: string,
  first: number,
  size: number,
  mapping: ReturnType<typeof parseMapping>,
  sourceOf: IndexShape['sourceOf'],
): Uint8Array {
  if (existsSync(path)) return new Uint8Array(readFileSync(path));
  const tail = new Tail(createMemory(), { limit: size + 1 });
  for (let i = first; i < first + size; i++) {
    const doc = spell(draft(i));
    const { id } = doc;
    const bytes = new TextEncoder().encode(JSON.stringify(sourceOf(doc)));
    const place = { chunk: 0, offset: 0, length: bytes.length };
    const idBytes = new TextEncoder().encode(id);
    tail.begin({ id: idBytes, seqNo: i, version: 1, type: '_doc', routing: undefined, commit: 1, ...place });
    mapDocument(mapping, bytes, 0, bytes.length, tail, { id });
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
