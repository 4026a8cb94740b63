// A small index for tests of queries: documents mapped and held in tails, in one leaf or many, sorted or not.

import { buildAnalysis } from '../src/analysis/registry.ts';
import type { JsonObject } from '../src/json/value.ts';
import { mapDocument } from '../src/mapping/document/map-document.ts';
import { parseMapping } from '../src/mapping/index-mapping.ts';
import { createMemory } from '../src/memory/arenas.ts';
import type { Memory } from '../src/memory/memory.ts';
import type { IndexView } from '../src/query/plan/index-view.ts';
import type { Leaf, LeafView } from '../src/segment/leaf.ts';
import { copySegment } from '../src/segment/section-writer.ts';
import { openSegment } from '../src/segment/segment-leaf.ts';
import { Tail } from '../src/tail/tail.ts';

const memory: Memory = createMemory();

/** A document to index. */
export interface WorldDoc {
  readonly id: string;
  readonly source: unknown;
}

/** How documents are laid out: sizes of runs, each a tail leaf, or sealed where the number is negative. */
export type Layout = readonly number[];

/** One sealed leaf with everything in it. */
export const ONE: Layout = [-1_000_000];

/** The view of an index that holds some documents. */
export function makeView(
  mappings: object,
  docs: readonly WorldDoc[],
  layout: Layout = ONE,
  settings: Record<string, string> = {},
): IndexView {
  const analysis = buildAnalysis(settings);
  let mapping = parseMapping(mappings as JsonObject, analysis);
  const leaves: LeafView[] = [];
  let at = 0;
  for (let run = 0; at < docs.length; run++) {
    const size = layout[Math.min(run, layout.length - 1)]!;
    const part = docs.slice(at, at + Math.abs(size));
    const tail = new Tail(memory);
    part.forEach(({ id, source }, i) => {
      const bytes = new TextEncoder().encode(JSON.stringify(source));
      tail.begin({
        id: new TextEncoder().encode(id),
        seqNo: at + i,
        version: 1,
        type: '_doc',
        routing: undefined,
        commit: at + i + 1,
        chunk: 0,
        // For tests that read sources: the place among the documents.
        offset: at + i,
        length: bytes.length,
      });
      mapping = mapDocument(mapping, bytes, 0, bytes.length, tail, { id });
      tail.end();
    });
    tail.closeBatch();
    for (const leaf of size < 0 ? [sealed(tail)] : tail.leaves()) leaves.push(wholeView(leaf));
    at += part.length;
  }
  return {
    name: 'world',
    uuid: 'w0rld',
    mapping,
    settings,
    leaves,
    analyzer: (name) => analysis.get(name),
  };
}

function sealed(tail: Tail): Leaf {
  const steps = tail.seal();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const block = memory.alloc(step.value.byteLength);
  const bytes = new Uint8Array(block.buffer, block.ptr, step.value.byteLength);
  copySegment(step.value, bytes);
  return openSegment(bytes);
}

function wholeView(leaf: Leaf): LeafView {
  return { leaf, docCount: leaf.docCount, live: undefined, liveCount: leaf.docCount, deathCount: 0 };
}
