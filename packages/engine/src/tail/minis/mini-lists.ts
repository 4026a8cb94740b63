// Which minis does a snapshot see? The newest list of them, unless some of that list were merged after the snapshot: then
// those that were there before, which may have been made searchable already. Nobody has to wait for a mini that holds
// documents which are not durable yet.
//
//   commit 7 merges [a][b][c] and its own documents to [d]:   snapshots before 7 see a b c, later ones d

import type { Block } from '../../memory/memory.ts';
import type { SegmentLeaf } from '../../segment/segment-leaf.ts';
import type { TailRun } from './tail-runs.ts';

/** Documents that a search reads together. */
export interface Mini {
  readonly run: TailRun;
  /** Once a reader has asked. */
  built: BuiltMini | undefined;
  /** The same without the words of texts, once a plain list has asked. */
  plain: BuiltMini | undefined;
}

export interface BuiltMini {
  readonly leaf: SegmentLeaf;
  readonly block: Block;
}

/** What a reader will ask of a tail: everything, or nothing of the words in texts (a plain list). */
export type ReadScope = 'all' | 'plain';

/** What has everything serves a plain list too. */
export function findBuilt(mini: Mini, wanted: ReadScope): BuiltMini | undefined {
  return mini.built ?? (wanted === 'plain' ? mini.plain : undefined);
}

interface List {
  minis: readonly Mini[];
  /** Snapshots from here on see a later list. */
  until: number;
  /** Somebody makes it searchable. */
  pins: number;
}

/** Older lists that are kept: there are about as many commits on their way to the log. */
const MOST_OLDER = 6;

/** The lists of a tail, and what was built for them. */
export class MiniLists {
  readonly #free: (block: Block) => void;
  #newest: List = emptyList();
  /** By ascending `until`. */
  #older: List[] = [];

  constructor(free: (block: Block) => void) {
    this.#free = free;
  }

  /** What later snapshots see: all documents. The array is never changed. */
  get newest(): readonly Mini[] {
    return this.#newest.minis;
  }

  /** Bytes of what was built. */
  get bytes(): number {
    let sum = 0;
    for (const { built, plain } of this.#all()) sum += (built?.block.bytes ?? 0) + (plain?.block.bytes ?? 0);
    return sum;
  }

  /** What a snapshot sees, and perhaps later documents. The array is never changed. */
  at(snapshot: number): readonly Mini[] {
    return this.#listAt(snapshot).minis;
  }

  /** The same, kept until the returned function is called. */
  pin(snapshot: number): { readonly minis: readonly Mini[]; readonly leave: () => void } {
    const list = this.#listAt(snapshot);
    list.pins++;
    return { minis: list.minis, leave: () => void list.pins-- };
  }

  /** Is it in any list? Else what was built for it is gone. */
  has(mini: Mini): boolean {
    return this.#newest.minis.includes(mini) || this.#older.some(({ minis }) => minis.includes(mini));
  }

  /** The newest list has these from now on; snapshots before `commit` go on to see what was there. */
  replace(minis: readonly Mini[], commit: number): void {
    const { minis: before } = this.#newest;
    // What only grows shows old snapshots what it did.
    const grows = before.every((mini, i) => mini === minis[i]);
    if (grows) this.#newest.minis = minis;
    else {
      this.#newest.until = commit;
      this.#older.push(this.#newest);
      this.#newest = { ...emptyList(), minis };
    }
  }

  /** All snapshots see these from now on. */
  reset(minis: readonly Mini[]): void {
    const gone = new Set(this.#all());
    this.#newest = { ...emptyList(), minis };
    this.#older = [];
    this.#release(gone);
  }

  /** Lists for snapshots before this one are given up, and all but a few: those snapshots see a later list. */
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

  /** Frees what was built for minis that are in no list any more. */
  #release(gone: ReadonlySet<Mini>): void {
    const kept = this.#all();
    for (const mini of gone) {
      if (kept.has(mini)) continue;
      for (const each of [mini.built, mini.plain]) if (each !== undefined) this.#free(each.block);
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
