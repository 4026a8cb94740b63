// What do the hits of a page show as their `sort`? It is the same on every page that has them, and hard to come by: keys, ranks
// and terms of twenty documents lie in a hundred places of the memory. Of a list that is asked for again and again it is kept
// as it was printed, by position in its order: what a page shows lies side by side.
//
//   an order    │ 512 documents │ 512 documents │ …      each block is made when enough pages have come by
//   a block     │ where texts begin │ texts ……… │

import { JsonWriter } from '../../json/json-writer.ts';
import { ByteBudget, type CacheEntry } from '../../memory/byte-budget.ts';
import { CachedArrays } from '../../memory/cached-arrays.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Order } from '../../order/build/build-order.ts';
import type { Run } from '../../order/run.ts';
import type { SortPrinter } from '../request/request.ts';
import type { Sortable } from '../request/sortable.ts';
import { putSort } from './printed-sort.ts';

/** Documents whose texts are made and forgotten together. */
export const BLOCK = 512;
/** Pages that print documents of a block before it is made: making it costs as much as twenty pages gain. */
const PAGES = 8;
/**
 * Milliseconds from one block to the next where something else has to go for it, or may find no place: a list that is larger than
 * the budget, asked for all over, would have all of its blocks made and forgotten in turn.
 */
const PACE_MS = 100;
/** Orders of fewer documents lie near enough. */
const MIN_DOCS = 2_048;
/** Blocks that are being made, or wait for it: each of them has its part of the memory stay. */
const MOST_UNDER_WAY = 8;
/** Ways of printing one order that are kept, the last ones. */
const MOST_WAYS = 4;
/** A page that begins so near to the last one goes on with a walk. */
const NEAR = 8;
/** Documents between two yields. */
const STEP = 32;
/** What a block takes on the heap. */
const BLOCK_HEAP = 384;
/** Default memory for all texts. */
export const TEXT_BUDGET_BYTES: number = 64 * 1024 * 1024;

interface Block {
  /** Where the text of the i-th document begins; one more than documents. */
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly held: CachedArrays;
}

/** Work that makes a block. */
interface Making {
  readonly name: string;
  readonly steps: () => Generator<void, void, undefined>;
}

/** The texts of an order that are printed in one way. */
export class OrderTexts {
  readonly id: number;
  /** What is printed (wayOf), and by printers of which key. */
  readonly way: string;
  readonly by: string;
  /** Positions that the last page has shown, the first and the last. */
  first: number = Number.NaN;
  last: number = Number.NaN;
  readonly #docs: number;
  #blocks: (CacheEntry<Block> | undefined)[] = [];
  #misses: Uint8Array | undefined;

  constructor(id: number, way: string, by: string, docs: number) {
    this.id = id;
    this.way = way;
    this.by = by;
    this.#docs = docs;
  }

  /** Pages that would have had the texts of each block, since it was made or forgotten. Made when there is one. */
  get misses(): Uint8Array {
    return (this.#misses ??= new Uint8Array(Math.ceil(this.#docs / BLOCK)));
  }

  /** A block that is kept. */
  set(block: number, found: CacheEntry<Block> | undefined): void {
    if (this.#blocks.length === 0) this.#blocks = new Array<undefined>(this.misses.length).fill(undefined);
    this.#blocks[block] = found;
  }

  /** Whether the text of the document at a position is kept. */
  has(at: number): boolean {
    return this.#blocks[Math.floor(at / BLOCK)]?.isKept === true;
  }

  /** Writes it; false where it is not kept. */
  put(at: number, out: JsonWriter): boolean {
    const found = this.#blocks[Math.floor(at / BLOCK)];
    if (found === undefined || !found.isKept) return false;
    found.used = true;
    const { starts, bytes } = found.value;
    const i = at % BLOCK;
    out.short(bytes, starts[i]!, starts[i + 1]!);
    return true;
  }
}

/** Whether a page that shows so many documents from a position on goes on, forwards or backwards, where the last one ended. */
export function goesOn({ first, last }: OrderTexts, at: number, count: number): boolean {
  return (at > last && at - last <= NEAR) || (at < first && first - at <= count + NEAR);
}

/** Sort texts of all orders, under one budget. Whoever reads them does so under `Memory.enter`. */
export class SortTexts {
  readonly #memory: Memory;
  readonly #limit: number;
  readonly #kept: ByteBudget<Block>;
  readonly #byOrder = new WeakMap<Order, OrderTexts[]>();
  readonly #clock: () => number;
  readonly #underWay = new Set<string>();
  #ways = 0;
  /** What the last block took, and when it was there. */
  #lastBytes = 0;
  #lastMade = Number.NEGATIVE_INFINITY;
  /** It found no place. */
  #hadNoRoom = false;

  /** `clock`: in ms, from any moment on. */
  constructor(
    memory: Memory,
    budgetBytes: number = TEXT_BUDGET_BYTES,
    clock: () => number = () => performance.now(),
  ) {
    this.#memory = memory;
    this.#limit = budgetBytes;
    this.#clock = clock;
    this.#kept = new ByteBudget(budgetBytes, ({ held }) => held.release());
    memory.onPressure((bytes) => this.#kept.evict(bytes));
  }

  get usedBytes(): number {
    return this.#kept.usedBytes;
  }

  /** Those of a run for a sort that is printed in one way; undefined where none are ever kept. */
  of({ order, stack }: Run, sort: readonly Sortable[], printer: SortPrinter): OrderTexts | undefined {
    if (order === undefined || order.docs.length < MIN_DOCS || stack.sides[0]!.leaf.isMini === true)
      return undefined;
    const way = wayOf(sort);
    if (way === undefined) return undefined;
    let all = this.#byOrder.get(order);
    if (all === undefined) this.#byOrder.set(order, (all = []));
    const at = all.findIndex((each) => each.way === way && each.by === printer.key);
    if (at === 0) return all[0];
    const texts = at > 0 ? all[at]! : new OrderTexts(++this.#ways, way, printer.key, order.docs.length);
    if (at > 0) all.splice(at, 1);
    else if (all.length === MOST_WAYS) all.pop();
    all.unshift(texts);
    return texts;
  }

  /**
   * A page has printed documents of a block that is not kept. Gives the work of making it where it is time for that, to be
   * done behind the scenes under the name that comes with it.
   */
  missed(
    texts: OrderTexts,
    block: number,
    run: Run,
    sort: readonly Sortable[],
    printer: SortPrinter,
  ): Making | undefined {
    const { misses } = texts;
    if (misses[block]! < PAGES) misses[block]!++;
    if (misses[block]! < PAGES || this.#underWay.size >= MOST_UNDER_WAY) return undefined;
    const isFull = this.#hadNoRoom || this.#kept.usedBytes + this.#lastBytes > this.#limit;
    if (isFull && (this.#underWay.size > 0 || this.#clock() < this.#lastMade + PACE_MS)) return undefined;
    const name = `texts|${texts.id}|${block}`;
    if (this.#underWay.has(name)) return undefined;
    this.#underWay.add(name);
    return { name, steps: () => this.#make(texts, block, name, run, sort, printer) };
  }

  /** Makes the texts of a block, in steps of some 50 µs. */
  *#make(
    texts: OrderTexts,
    block: number,
    name: string,
    { order, stack }: Run,
    sort: readonly Sortable[],
    printer: SortPrinter,
  ): Generator<void, void, undefined> {
    try {
      const docs = order!.docs.subarray(block * BLOCK, (block + 1) * BLOCK);
      const out = new JsonWriter(Buffer.allocUnsafeSlow(BLOCK * 64), 0);
      const starts = new Uint32Array(docs.length + 1);
      for (let i = 0; i < docs.length; i++) {
        const part = stack.partOf(docs[i]!);
        const doc = { side: stack.sides[part]!, doc: docs[i]! - stack.bases[part]!, score: Number.NaN };
        putSort(sort, doc, printer, out);
        starts[i + 1] = out.at;
        if (i % STEP === STEP - 1) yield;
      }
      this.#keep(texts, block, name, starts, out);
    } finally {
      this.#underWay.delete(name);
      this.#lastMade = this.#clock();
      texts.misses[block] = 0;
    }
  }

  #keep(texts: OrderTexts, block: number, name: string, starts: Uint32Array, out: JsonWriter): void {
    const copy = CachedArrays.copy(this.#memory, [starts, wordsOf(out)] as const);
    this.#hadNoRoom = true;
    if (copy === undefined) return;
    const { owner: held } = copy;
    const [own, { buffer, byteOffset }] = copy.arrays;
    const value: Block = { starts: own, bytes: new Uint8Array(buffer, byteOffset, out.at), held };
    this.#lastBytes = held.bytes + BLOCK_HEAP;
    this.#kept.set(name, value, this.#lastBytes);
    const found = this.#kept.find(name);
    this.#hadNoRoom = found === undefined;
    texts.set(block, found);
  }
}

const ways = new WeakMap<readonly Sortable[], string>();

/** All that what a sort shows depends on beside its order; undefined where it depends on the search. */
function wayOf(sort: readonly Sortable[]): string | undefined {
  let way = ways.get(sort);
  if (way === undefined) {
    const isFixed = sort.every(
      ({ entry: { kind } }) => kind === 'numeric' || kind === 'bytes' || kind === 'id',
    );
    way = isFixed
      ? JSON.stringify(
          sort.map(({ type: { kind, space, field, format }, sort: { numericType } }) => [
            kind,
            space,
            field?.kind,
            format,
            numericType,
          ]),
        )
      : '';
    ways.set(sort, way);
  }
  return way === '' ? undefined : way;
}

function wordsOf({ bytes, at }: JsonWriter): Uint32Array {
  const words = new Uint32Array(Math.ceil(at / 4));
  new Uint8Array(words.buffer).set(bytes.subarray(0, at));
  return words;
}
