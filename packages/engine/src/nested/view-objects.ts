// The nested objects of one view of an index: the view of a path's objects, and which document each belongs to.

import type { Mapping } from '../mapping/types/type.ts';
import type { Leaf, LeafView } from '../segment/leaf.ts';
import type { SegmentLeaf } from '../segment/segment-leaf.ts';
import type { ReadSource } from './build-objects.ts';
import {
  enclosingObjects,
  type JoinedObjects,
  joinDocuments,
  joinObjects,
  type LeafObjects,
  type NestedPart,
  type ObjectStep,
  stepsTo,
} from './nested-objects.ts';
import type { ObjectsCache } from './objects-cache.ts';

/** The objects of a nested path, as seen from documents or from objects of an enclosing path. */
export interface NestedView {
  readonly path: string;
  /** The leaves of the objects. */
  readonly leaves: readonly LeafView[];
  view(leaf: Leaf): LeafView;
  /** The objects that belong to the documents of a leaf, in the order of those. */
  join(leaf: Leaf): readonly JoinedObjects[];
  /** The objects within these. */
  readonly inner: NestedAccess;
}

/** The way from documents, or from objects, to the objects within them. */
export interface NestedAccess {
  /** The path of the objects that this starts from; empty for documents. */
  readonly path: string;
  /** Where an object of a leaf of this view lies. REQUIRES: the view is one of objects. */
  origin(leaf: Leaf, object: number): ObjectOrigin;
  /**
   * For the objects of a leaf of this view: the objects of an enclosing path that they lie in, or their documents for an
   * empty path. Undefined if the path does not enclose this one.
   */
  around(leaf: Leaf, path: string): ObjectsAround | undefined;
  /** The objects of a nested path. REQUIRES: the path lies in this one, and is nested. */
  enter(path: string): Generator<void, NestedView, undefined>;
}

/** The document that an object is part of, and the way to it. */
export interface ObjectOrigin {
  readonly view: LeafView;
  readonly document: number;
  readonly steps: readonly ObjectStep[];
}

/** By object: its number among those of some leaves, each of which begins with a number. */
interface ObjectsAround {
  readonly numbers: Uint32Array;
  readonly leaves: readonly { readonly view: LeafView; readonly first: number }[];
}

/** A leaf of objects. */
interface PartOfLeaf {
  readonly view: LeafView;
  readonly objects: LeafObjects;
  readonly part: NestedPart;
}

/** The way from the documents of a view to their objects. `index` is the uuid of the index. */
export function accessObjects(
  cache: ObjectsCache,
  index: string,
  leaves: readonly LeafView[],
  mapping: Mapping,
  readSource: ReadSource,
): NestedAccess {
  return {
    path: '',
    origin() {
      throw new RangeError('a document lies in no other');
    },
    around: () => undefined,
    *enter(path) {
      cache.noteUse(index);
      const joins = new Map<Leaf, readonly JoinedObjects[]>();
      const parts: PartOfLeaf[] = [];
      for (const view of leaves) {
        const objects = yield* cache.of(view.leaf, mapping, readSource);
        joins.set(view.leaf, joinDocuments(objects, path));
        for (const part of objects.byPath.get(path) ?? []) parts.push({ view, objects, part });
      }
      return nestedView(path, parts, joins);
    },
  };
}

function nestedView(
  path: string,
  parts: readonly PartOfLeaf[],
  joins: ReadonlyMap<Leaf, readonly JoinedObjects[]>,
): NestedView {
  const byLeaf = new Map<Leaf, PartOfLeaf>(parts.map((each) => [each.part.leaf, each]));
  return {
    path,
    leaves: parts.map(({ part }) => viewOf(part.leaf)),
    view: (leaf) => viewOf(byLeaf.get(leaf)!.part.leaf),
    join: (leaf) => joins.get(leaf) ?? [],
    inner: {
      path,
      origin(leaf, object) {
        const { view, objects, part } = byLeaf.get(leaf)!;
        const steps = stepsTo(objects, path, part.first + object);
        return { view, document: part.documents[object]!, steps };
      },
      around(leaf, outer) {
        const { view, objects, part } = byLeaf.get(leaf)!;
        if (outer === '') return { numbers: part.documents, leaves: [{ view, first: 0 }] };
        const numbers = enclosingObjects(objects, path, outer, part);
        const own = objects.byPath.get(outer);
        if (numbers === undefined || own === undefined) return undefined;
        return { numbers, leaves: own.map(({ leaf, first }) => ({ view: viewOf(leaf), first })) };
      },
      *enter(inner) {
        const within = new Map<Leaf, readonly JoinedObjects[]>();
        for (const { objects, part } of parts) within.set(part.leaf, joinObjects(objects, inner, path, part));
        const all = new Map(parts.map(({ view, objects }) => [objects, view] as const));
        const found = [...all].flatMap(([objects, view]) =>
          (objects.byPath.get(inner) ?? []).map((part) => ({ view, objects, part })),
        );
        return nestedView(inner, found, within);
      },
    },
  };
}

/** Objects of dead documents are there, too: their documents are left out where objects are joined to them. */
function viewOf(leaf: SegmentLeaf): LeafView {
  const { docCount } = leaf;
  return { leaf, docCount, live: undefined, liveCount: docCount, deathCount: 0 };
}
