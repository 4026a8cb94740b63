// The smallest leaf for tests: plain arrays behind the leaf contract, with ids, sort columns and deaths, but
// no terms to search.

import { setBit, wordsFor } from '../kernels/bits.ts';
import { compareByteRanges } from '../kernels/sorted-search.ts';
import { longKey } from '../mapping/types/sortable-key.ts';
import type { Column, Leaf, LeafView, Terms } from '../segment/leaf.ts';
import { concatStrings } from './keys/sort-strings.ts';

/** A document to sketch: longs and keywords by path. */
export interface SketchDoc {
  readonly id: string;
  readonly longs?: Readonly<Record<string, readonly number[]>>;
  readonly words?: Readonly<Record<string, readonly string[]>>;
}

let nextUid = 1_000_000_000;

function startsOf(counts: readonly number[]): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) starts[i + 1] = starts[i]! + counts[i]!;
  return starts;
}

function presence(lists: readonly (readonly unknown[])[]): Uint32Array {
  const present = new Uint32Array(wordsFor(lists.length));
  lists.forEach((l, doc) => {
    if (l.length > 0) setBit(present, doc);
  });
  return present;
}

function longColumn(lists: readonly (readonly number[])[]): Column {
  const single = lists.every((l) => l.length <= 1);
  const flat = single ? lists.map((l) => l[0] ?? 7_777) : lists.flatMap((l) => l.toSorted((a, b) => a - b));
  return {
    kind: 'numeric',
    starts: single ? undefined : startsOf(lists.map((l) => l.length)),
    hi: Uint32Array.from(flat, (x) => longKey(x).hi),
    lo: Uint32Array.from(flat, (x) => longKey(x).lo),
    present: presence(lists),
  };
}

function wordColumn(lists: readonly (readonly string[])[], sorted: boolean): Column {
  const encoded = [...new Set(lists.flat())].map((s) => Buffer.from(s));
  if (sorted) encoded.sort(Buffer.compare);
  const ordinal = new Map(encoded.map((b, i) => [b.toString(), i]));
  const values = lists.map((l) =>
    [...new Set(l)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
  const single = values.every((l) => l.length <= 1);
  const flat = single
    ? values.map((l) => ordinal.get(l[0] ?? '') ?? 0)
    : values.flat().map((s) => ordinal.get(s)!);
  const terms = {
    count: encoded.length,
    sorted,
    term: (o: number) => encoded[o]!,
  } as unknown as Terms;
  return {
    kind: 'ordinal',
    starts: single ? undefined : startsOf(values.map((l) => l.length)),
    ordinals: Uint32Array.from(flat),
    terms,
    present: presence(values),
  };
}

/**
 * A leaf of the given documents. `sorted` says whether its dictionaries are (sealed segments' are, the tail's
 * not).
 */
export function sketchLeaf(docs: readonly SketchDoc[], firstSeqNo: number, sorted: boolean): Leaf {
  const ids = concatStrings(docs.map((d) => Buffer.from(d.id)));
  const columns = new Map<string, Column>();
  const paths = (pick: (d: SketchDoc) => object | undefined): Set<string> =>
    new Set(docs.flatMap((d) => Object.keys(pick(d) ?? {})));
  for (const path of paths((d) => d.longs)) {
    columns.set(path, longColumn(docs.map((d) => d.longs?.[path] ?? [])));
  }
  for (const path of paths((d) => d.words)) {
    columns.set(
      path,
      wordColumn(
        docs.map((d) => d.words?.[path] ?? []),
        sorted,
      ),
    );
  }
  const dead: number[] = [];
  const leaf: Partial<Leaf> = {
    uid: nextUid++,
    docCount: docs.length,
    isMini: !sorted,
    docs: {
      idBytes: ids.bytes,
      idStarts: ids.starts,
      id: (doc: number) => docs[doc]!.id,
      seqNo: (doc: number) => firstSeqNo + doc,
      version: () => 1,
      type: () => '_doc',
      routing: () => undefined,
      commit: (doc: number) => firstSeqNo + doc,
      countAt: (commit: number) => Math.max(0, Math.min(docs.length, commit - firstSeqNo + 1)),
      find: (id: Uint8Array) =>
        docs.findLastIndex((d) => {
          const own = Buffer.from(d.id);
          return compareByteRanges(own, 0, own.length, id, 0, id.length) === 0;
        }),
      isId: (doc: number, id: Uint8Array) =>
        docs[doc] !== undefined && docs[doc].id === Buffer.from(id).toString(),
      sourceChunk: () => 0,
      sourceOffset: (doc: number) => doc,
      sourceLength: () => 0,
    },
    deaths: {
      get count() {
        return dead.length;
      },
      doc: (entry: number) => dead[entry]!,
      commit: (entry: number) => entry,
      countAt: (commit: number) => Math.min(dead.length, commit + 1),
      isDead: (doc: number) => dead.includes(doc),
      append: (doc: number) => {
        dead.push(doc);
      },
      truncate: (count: number) => {
        dead.length = count;
      },
      liveAt: () => undefined,
    },
    column: (path: string) => columns.get(path),
    present: (path: string) => columns.get(path)?.present,
    terms: () => undefined,
    norms: () => undefined,
    fields: columns.keys(),
  };
  return leaf as Leaf;
}

/** A view of a sketched leaf after some of its deaths, of its first documents. */
export function sketchView(leaf: Leaf, docCount: number, deathCount: number): LeafView {
  const live = new Uint32Array(wordsFor(leaf.docCount)).fill(0xffff_ffff);
  for (let e = 0; e < deathCount; e++) {
    const doc = leaf.deaths.doc(e);
    live[doc >>> 5]! &= ~(1 << (doc & 31));
  }
  let liveCount = 0;
  for (let doc = 0; doc < docCount; doc++) liveCount += (live[doc >>> 5]! >>> (doc & 31)) & 1;
  return { leaf, docCount, live: deathCount > 0 ? live : undefined, liveCount, deathCount };
}
