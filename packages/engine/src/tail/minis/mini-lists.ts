// The lists of minis that snapshots see. Most snapshots see the newest list. A snapshot older than a merge of
// minis sees the list before it, so it never waits for a mini with documents that are not durable.
//
//   commit 7 merges [a][b][c] and its own documents to [d]:   snapshots before 7 see a b c, later ones d

import type { Block } from '../../memory/memory.ts';
import type { SegmentLeaf } from '../../segment/segment-leaf.ts';
import type { TailRange } from './tail-ranges.ts';

/** A range of documents that is searched as one leaf. */
export interface Mini {
  readonly range: TailRange;
  /** The inverted segment, once a reader has needed it. */
  built: BuiltMini | undefined;
  /** The same without the terms of texts, once a search without texts has needed it. */
  withoutText: BuiltMini | undefined;
}

export interface BuiltMini {
  readonly leaf: SegmentLeaf;
  readonly block: Block;
}

/** The parts that a reader needs: everything, or all but the terms of texts. */
export type ReadScope = 'all' | 'withoutText';

/** The built segment for a scope. A complete one serves both. */
export function findBuilt(mini: Mini, scope: ReadScope): BuiltMini | undefined {
  return mini.built ?? (scope === 'withoutText' ? mini.withoutText : undefined);
}

interface List {
  minis: readonly Mini[];
  /** Snapshots from here on see a later list. */
  until: number;
  /** Callers that are making it searchable. */
  pins: number;
}

/** Most older lists: about as many commits are on their way to the log. */
const MOST_OLDER = 6;

/** The lists of minis of a tail, and the segments built for them. */
export class MiniLists {
  readonly #free: (block: Block) => void;
  #newest: List = emptyList();
  /** By ascending `until`. */
  #older: List[] = [];

  constructor(free: (block: Block) => void) {
    this.#free = free;
  }

  /** The minis for new snapshots: all documents. The array is never changed. */
  get newest(): readonly Mini[] {
    return this.#newest.minis;
  }

  /** Bytes of all built segments. */
  get bytes(): number {
    let sum = 0;
    for (const { built, withoutText } of this.#all())
      sum += (built?.block.bytes ?? 0) + (withoutText?.block.bytes ?? 0);
    return sum;
  }

  /** The minis for a snapshot; they may also hold later documents. The array is never changed. */
  at(snapshot: number): readonly Mini[] {
    return this.#listAt(snapshot).minis;
  }

  /** As `at`; the list is kept until `leave` is called. */
  pin(snapshot: number): { readonly minis: readonly Mini[]; readonly leave: () => void } {
    const list = this.#listAt(snapshot);
    list.pins++;
    return { minis: list.minis, leave: () => void list.pins-- };
  }

  /** Whether a mini is in any list; otherwise its segments have been freed. */
  has(mini: Mini): boolean {
    return this.#newest.minis.includes(mini) || this.#older.some(({ minis }) => minis.includes(mini));
  }

  /** Replaces the newest list; snapshots before `commit` still see the old one. */
  replace(minis: readonly Mini[], commit: number): void {
    const { minis: before } = this.#newest;
    // A list that only grows serves old snapshots too.
    const grows = before.every((mini, i) => mini === minis[i]);
    if (grows) this.#newest.minis = minis;
    else {
      this.#newest.until = commit;
      this.#older.push(this.#newest);
      this.#newest = { ...emptyList(), minis };
    }
  }

  /** Replaces all lists. */
  reset(minis: readonly Mini[]): void {
    const dropped = new Set(this.#all());
    this.#newest = { ...emptyList(), minis };
    this.#older = [];
    this.#release(dropped);
  }

  /**
   * Drops the lists for snapshots before this one, and all but a few others: those snapshots see a later
   * list.
   */
  forget(snapshot: number): void {
    const older = this.#older;
    let count = 0;
    while (count < older.length && older[count]!.pins === 0) {
      if (older[count]!.until > snapshot && older.length - count <= MOST_OLDER) break;
      count++;
    }
    if (count === 0) return;
    this.#release(new Set(older.splice(0, count).flatMap(({ minis }) => minis)));
  }

  /** Frees the segments of minis that are in no list any more. */
  #release(dropped: ReadonlySet<Mini>): void {
    const kept = this.#all();
    for (const mini of dropped) {
      if (kept.has(mini)) continue;
      for (const each of [mini.built, mini.withoutText]) if (each !== undefined) this.#free(each.block);
    }
  }

  #listAt(snapshot: number): List {
    for (const list of this.#older) if (snapshot < list.until) return list;
    return this.#newest;
  }

  #all(): Set<Mini> {
    const all = new Set(this.#newest.minis);
    for (const { minis } of this.#older) for (const mini of minis) all.add(mini);
    return all;
  }
}

function emptyList(): List {
  return { minis: [], until: Number.POSITIVE_INFINITY, pins: 0 };
}
