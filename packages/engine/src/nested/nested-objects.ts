// The objects of nested fields, as documents of leaves of their own beside the leaf whose documents they are
// part of. Nothing of them is stored: they are made from the sources (build-objects.ts) and cached
// (objects-cache.ts). Lucene keeps such objects in the same segment, right before their document.
//
//   leaf        doc 0    doc 1          doc 2
//                 │        ├─────┐        │
//   path a      a0 ·     a1 ·  a2 ·     a3 ·         one numbering per path, in the order of the documents
//                 │              ├────┐
//   path a.b    b0 ·           b1 · b2 ·             `outer`: 0 2 2; `documents`: 0 1 1
//               └─ part 0 ──┘  └─ part 1 ─┘          a part has at most 65,536 objects

import { lowerBound } from '../kernels/sorted-search.ts';
import type { SegmentLeaf } from '../segment/segment-leaf.ts';

/** Consecutive objects of one path. */
export interface NestedPart {
  readonly leaf: SegmentLeaf;
  /** Number of its first object. */
  readonly first: number;
  /** By object of the part, ascending: its document in the outermost leaf. */
  readonly documents: Uint32Array;
  /** By object, ascending: the object of the enclosing nested path that it lies in. Absent if it lies in none. */
  readonly outer: Uint32Array | undefined;
}

/** The nested objects of one leaf. */
export interface LeafObjects {
  readonly byPath: ReadonlyMap<string, readonly NestedPart[]>;
  readonly bytes: number;
}

/** The objects [from, to) of a leaf, with the document of another leaf that each belongs to: parents[object] - base. */
export interface JoinedObjects {
  readonly leaf: SegmentLeaf;
  readonly from: number;
  readonly to: number;
  readonly parents: Uint32Array;
  readonly base: number;
}

/** One level on the way to an object: the n-th one of a field, whose name is relative to the level above. */
export interface ObjectStep {
  readonly field: string;
  readonly offset: number;
}

/** The steps from a document to an object of a path, by its number. */
export function stepsTo(objects: LeafObjects, path: string, object: number): readonly ObjectStep[] {
  const parts = objects.byPath.get(path)!;
  const part = partOf(parts, object);
  const above = enclosingPath(objects, path);
  const parents = ({ outer, documents }: NestedPart): Uint32Array => outer ?? documents;
  const parent = parents(part)[object - part.first]!;
  let first = object;
  for (const each of parts) {
    const place = lowerBound(parents(each), 0, parents(each).length, parent);
    if (parents(each)[place] !== parent) continue;
    first = each.first + place;
    break;
  }
  const own = { field: above === '' ? path : path.slice(above.length + 1), offset: object - first };
  return above === '' ? [own] : [...stepsTo(objects, above, parent), own];
}

/** The objects of a path by the documents of their leaf. */
export function joinDocuments(objects: LeafObjects, path: string): JoinedObjects[] {
  const parts = objects.byPath.get(path) ?? [];
  return parts.map(({ leaf, documents }) => ({
    leaf,
    from: 0,
    to: leaf.docCount,
    parents: documents,
    base: 0,
  }));
}

/** The objects of a path by those of an enclosing path, for one part of the latter. */
export function joinObjects(
  objects: LeafObjects,
  path: string,
  enclosing: string,
  within: NestedPart,
): JoinedObjects[] {
  const joined: JoinedObjects[] = [];
  for (const part of objects.byPath.get(path) ?? []) {
    const parents = enclosingObjects(objects, path, enclosing, part);
    if (parents === undefined) continue;
    const from = lowerBound(parents, 0, parents.length, within.first);
    const to = lowerBound(parents, from, parents.length, within.first + within.leaf.docCount);
    if (from < to) joined.push({ leaf: part.leaf, from, to, parents, base: within.first });
  }
  return joined;
}

/** By object of a part: the object of an enclosing path that it lies in; undefined if the path does not enclose it. */
export function enclosingObjects(
  objects: LeafObjects,
  path: string,
  enclosing: string,
  part: NestedPart,
): Uint32Array | undefined {
  let at = part.outer;
  for (let above = enclosingPath(objects, path); above !== enclosing; above = enclosingPath(objects, above)) {
    if (above === '' || at === undefined) return undefined;
    const parts = objects.byPath.get(above)!;
    at = at.map((object) => partOf(parts, object).outer![object - partOf(parts, object).first]!);
  }
  return at;
}

/** The nested path that a path lies in; empty for none. */
function enclosingPath({ byPath }: LeafObjects, path: string): string {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1))
    if (byPath.has(path.slice(0, dot))) return path.slice(0, dot);
  return '';
}

/** The part that has an object. */
export function partOf(parts: readonly NestedPart[], object: number): NestedPart {
  return parts.findLast(({ first }) => first <= object)!;
}
