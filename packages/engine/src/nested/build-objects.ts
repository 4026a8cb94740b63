// Makes the nested objects of a leaf from the sources of its documents, in steps.

import { nextSetBit, orInto, wordsFor } from '../kernels/bits.ts';
import { mapDocument, type ObjectSink } from '../mapping/document/map-document.ts';
import { type DocSink, NO_SINK } from '../mapping/field-spec.ts';
import { nestedMark } from '../mapping/mapping-nodes.ts';
import type { Mapping } from '../mapping/types/type.ts';
import type { Memory } from '../memory/memory.ts';
import type { Leaf } from '../segment/leaf.ts';
import { copySegment } from '../segment/section-writer.ts';
import { openSegment } from '../segment/segment-leaf.ts';
import { Tail } from '../tail/tail.ts';
import type { LeafObjects, NestedPart } from './nested-objects.ts';

/** Reads a source from the log. */
export type ReadSource = (chunk: number, offset: number, length: number) => Uint8Array;

/** A part that has so many objects at the end of a document is full; it has room for those of one more. */
const FULL = 49_152;
const MOST = 65_536;
/** Bytes of sources between two yields: some hundred microseconds. */
const STEP_BYTES = 8_192;

/** Objects that are collected. */
interface OpenPart {
  readonly tail: Tail;
  readonly documents: number[];
  readonly outer: number[];
}

/** The objects of one path. */
class PathBuilder {
  readonly path: string;
  readonly enclosing: PathBuilder | undefined;
  /** Objects so far, those of `open` included. */
  count = 0;
  readonly parts: NestedPart[] = [];
  readonly full: OpenPart[] = [];
  open: OpenPart | undefined;

  constructor(path: string, enclosing: PathBuilder | undefined) {
    this.path = path;
    this.enclosing = enclosing;
  }
}

/** Receives the objects of the documents of one leaf. */
class ObjectsBuilder implements ObjectSink {
  readonly #memory: Memory;
  readonly #leaf: Leaf;
  readonly paths: Map<string, PathBuilder> = new Map();
  doc = 0;
  bytes = 0;

  constructor(leaf: Leaf, mapping: Mapping, memory: Memory) {
    this.#leaf = leaf;
    this.#memory = memory;
    for (const path of mapping.nestedPaths) {
      const above = mapping.nestedPaths.findLast((each) => path.startsWith(`${each}.`));
      this.paths.set(path, new PathBuilder(path, above === undefined ? undefined : this.paths.get(above)));
    }
  }

  begin(name: string): DocSink {
    const path = this.paths.get(name)!;
    const { docs } = this.#leaf;
    if (path.open?.tail.docCount === MOST) {
      path.full.push(path.open);
      path.open = undefined;
    }
    path.open ??= { tail: new Tail(this.#memory), documents: [], outer: [] };
    const { tail, documents, outer } = path.open;
    documents.push(this.doc);
    // The enclosing object is open: it is the last of its path.
    if (path.enclosing !== undefined) outer.push(path.enclosing.count - 1);
    path.count++;
    const id = docs.idBytes.subarray(docs.idStarts[this.doc]!, docs.idStarts[this.doc + 1]!);
    const place = { chunk: 0, offset: 0, length: 0 };
    tail.begin({ id, seqNo: path.count, version: 1, type: '_doc', routing: undefined, commit: 0, ...place });
    return tail;
  }

  end(name: string): void {
    this.paths.get(name)!.open!.tail.end();
  }

  /** Makes leaves of full parts, and of all at the end. */
  *seal(isEnd: boolean): Generator<void, void, undefined> {
    for (const path of this.paths.values()) {
      const { open } = path;
      if (open !== undefined && (isEnd || open.tail.docCount >= FULL)) {
        path.full.push(open);
        path.open = undefined;
      }
      for (const part of path.full.splice(0)) path.parts.push(yield* this.#part(path, part));
    }
  }

  *#part(path: PathBuilder, { tail, documents, outer }: OpenPart): Generator<void, NestedPart, undefined> {
    tail.closeBatch();
    const segment = yield* tail.seal();
    tail.release();
    const bytes = new Uint8Array(segment.byteLength);
    copySegment(segment, bytes);
    this.bytes += bytes.length + 4 * (documents.length + outer.length);
    const last = path.parts.at(-1);
    return {
      leaf: openSegment(bytes),
      first: last === undefined ? 0 : last.first + last.leaf.docCount,
      documents: Uint32Array.from(documents),
      outer: path.enclosing === undefined ? undefined : Uint32Array.from(outer),
    };
  }

  release(): void {
    for (const { open, full } of this.paths.values())
      for (const { tail } of [...full, ...(open === undefined ? [] : [open])]) tail.release();
  }
}

/**
 * The objects of all documents of a leaf, dead ones too: an older snapshot may see them. O(bytes of the sources of documents
 * that have such objects).
 */
export function* buildObjects(
  leaf: Leaf,
  mapping: Mapping,
  readSource: ReadSource,
  memory: Memory,
): Generator<void, LeafObjects, undefined> {
  const builder = new ObjectsBuilder(leaf, mapping, memory);
  try {
    const wanted = documentsWith(leaf, mapping.nestedPaths);
    let bytes = 0;
    for (let doc = nextSetBit(wanted, 0); doc >= 0; doc = nextSetBit(wanted, doc + 1)) {
      const { docs } = leaf;
      const length = docs.sourceLength(doc);
      const source = readSource(docs.sourceChunk(doc), docs.sourceOffset(doc), length);
      builder.doc = doc;
      const context = { id: '', isAccepted: true, objects: builder };
      mapDocument(mapping, source, 0, length, NO_SINK, context);
      yield* builder.seal(false);
      bytes += length;
      if (bytes < STEP_BYTES) continue;
      bytes = 0;
      yield;
    }
    yield* builder.seal(true);
    const byPath = new Map([...builder.paths].map(([path, { parts }]) => [path, parts] as const));
    return { byPath, bytes: builder.bytes };
  } finally {
    builder.release();
  }
}

/** Bitmap of the documents that have nested objects. */
function documentsWith(leaf: Leaf, paths: readonly string[]): Uint32Array {
  const marked = new Uint32Array(wordsFor(leaf.docCount));
  for (const path of paths) {
    const present = leaf.present(nestedMark(path));
    if (present !== undefined) orInto(marked, present);
  }
  return marked;
}
