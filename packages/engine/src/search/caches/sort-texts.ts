// The cache of printed sort values. What hits show as `sort` is the same on every page, but costly to read:
// the keys, ranks and terms of twenty documents lie in a hundred cache lines. For lists that are read again
// and again the printed texts are kept by position in the order, so that the texts of a page lie side by
// side.
//
//   an order    │ 512 documents │ 512 documents │ …      each block is made once enough pages have missed it
//   a block     │ where texts begin │ texts ……… │
//
// - Key: an order, the sort's printed form and the printer's key.
// - Bound: a byte budget over blocks, the least recently used go.
// - Invalidation: texts die with their order; an order never changes.

import type { SortPrinter } from '../../api.ts';
import { JsonWriter } from '../../json/json-writer.ts';
import { ByteBudget, type CacheEntry } from '../../memory/byte-budget.ts';
import { CachedArrays } from '../../memory/cached-arrays.ts';
import type { Memory } from '../../memory/memory.ts';
import type { LeafOrder } from '../../order/build/build-order.ts';
import type { OrderRun } from '../../order/rank/run.ts';
import { putSort } from '../request/sort-values.ts';
import type { Sortable } from '../request/sortable.ts';

/** Documents whose texts are made and forgotten together. */
export const BLOCK = 512;
/** Pages that print documents of a block before it is made: making it costs as much as twenty pages save. */
const MISSES_BEFORE_MADE = 8;
/**
 * Milliseconds between two blocks once the budget is full: a list larger than the budget that is read all
 * over would otherwise have its blocks made and evicted in turn.
 */
const PACE_MS = 100;
/** Shorter orders lie in few cache lines anyway. */
const MIN_DOCS = 2_048;
/** Blocks that are made or wait at a time: each of them holds its part of the memory. */
const MAX_PENDING = 8;
/** Printed forms of one order that are kept, the latest ones. */
const MAX_FORMS = 4;
/** A page that begins within so many documents of the last one continues a walk. */
const NEAR = 8;
/** Documents between two yields. */
const STEP = 32;
/** Heap bytes of a block. */
const BLOCK_HEAP = 384;
/** Default memory for all texts. */
export const TEXT_BUDGET_BYTES: number = 64 * 1024 * 1024;

interface Block {
  /** Where the text of the i-th document begins; one more than documents. */
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly held: CachedArrays;
}

/** The job that makes a block. */
interface BlockJob {
  readonly name: string;
  readonly steps: () => Generator<void, void, undefined>;
}

/** The texts of an order in one printed form. */
export class OrderTexts {
  readonly id: number;
  /** What is printed (printedForm), and the key of its printers. */
  readonly form: string;
  readonly printerKey: string;
  /** The first and the last position that the last page has shown. */
  first: number = Number.NaN;
  last: number = Number.NaN;
  readonly #docs: number;
  #blocks: (CacheEntry<Block> | undefined)[] = [];
  #misses: Uint8Array | undefined;

  constructor(id: number, form: string, printerKey: string, docs: number) {
    this.id = id;
    this.form = form;
    this.printerKey = printerKey;
    this.#docs = docs;
  }

  /** Pages that missed each block since it was made or evicted. Allocated at the first miss. */
  get misses(): Uint8Array {
    return (this.#misses ??= new Uint8Array(Math.ceil(this.#docs / BLOCK)));
  }

  /** Sets the cache entry of a block. */
  set(block: number, found: CacheEntry<Block> | undefined): void {
    if (this.#blocks.length === 0) this.#blocks = new Array<undefined>(this.misses.length).fill(undefined);
    this.#blocks[block] = found;
  }

  /** Whether the text of the document at a position is cached. */
  has(at: number): boolean {
    return this.#blocks[Math.floor(at / BLOCK)]?.isKept === true;
  }

  /** Writes the text; false where it is not cached. */
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

/**
 * Whether a page of `count` documents from a position on continues, forwards or backwards, where the last
 * page ended.
 */
export function continuesWalk({ first, last }: OrderTexts, at: number, count: number): boolean {
  return (at > last && at - last <= NEAR) || (at < first && first - at <= count + NEAR);
}

/** Sort texts of all orders under one budget. Readers must have entered the memory (Memory.enter). */
export class SortTexts {
  readonly #memory: Memory;
  readonly #limit: number;
  readonly #cache: ByteBudget<Block>;
  readonly #byOrder = new WeakMap<LeafOrder, OrderTexts[]>();
  readonly #clock: () => number;
  readonly #pending = new Set<string>();
  #forms = 0;
  /** Bytes of the last block, and when it was made. */
  #lastBytes = 0;
  #lastMade = Number.NEGATIVE_INFINITY;
  /** Whether it found no room. */
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
    this.#cache = new ByteBudget(budgetBytes, ({ held }) => held.release());
    memory.onPressure((bytes) => this.#cache.evict(bytes));
  }

  get usedBytes(): number {
    return this.#cache.usedBytes;
  }

  /** The texts of a run for a sort and a printer; undefined where none are ever cached. */
  find({ order, stack }: OrderRun, sort: readonly Sortable[], printer: SortPrinter): OrderTexts | undefined {
    if (order === undefined || order.docs.length < MIN_DOCS || stack.sides[0]!.leaf.isMini === true)
      return undefined;
    const form = printedForm(sort);
    if (form === undefined) return undefined;
    let all = this.#byOrder.get(order);
    if (all === undefined) this.#byOrder.set(order, (all = []));
    const at = all.findIndex((each) => each.form === form && each.printerKey === printer.key);
    if (at === 0) return all[0];
    const texts = at > 0 ? all[at]! : new OrderTexts(++this.#forms, form, printer.key, order.docs.length);
    if (at > 0) all.splice(at, 1);
    else if (all.length === MAX_FORMS) all.pop();
    all.unshift(texts);
    return texts;
  }

  /**
   * Counts a page that printed documents of a block that is not cached. Returns the job that makes the block
   * once enough pages have missed it.
   */
  noteMiss(
    texts: OrderTexts,
    block: number,
    run: OrderRun,
    sort: readonly Sortable[],
    printer: SortPrinter,
  ): BlockJob | undefined {
    const { misses } = texts;
    if (misses[block]! < MISSES_BEFORE_MADE) misses[block]!++;
    if (misses[block]! < MISSES_BEFORE_MADE || this.#pending.size >= MAX_PENDING) return undefined;
    const isFull = this.#hadNoRoom || this.#cache.usedBytes + this.#lastBytes > this.#limit;
    if (isFull && (this.#pending.size > 0 || this.#clock() < this.#lastMade + PACE_MS)) return undefined;
    const name = `texts|${texts.id}|${block}`;
    if (this.#pending.has(name)) return undefined;
    this.#pending.add(name);
    return { name, steps: () => this.#make(texts, block, name, run, sort, printer) };
  }

  /** Makes the texts of a block, in steps of some 50 µs. */
  *#make(
    texts: OrderTexts,
    block: number,
    name: string,
    { order, stack }: OrderRun,
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
      this.#pending.delete(name);
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
    this.#cache.set(name, value, this.#lastBytes);
    const found = this.#cache.find(name);
    this.#hadNoRoom = found === undefined;
    texts.set(block, found);
  }
}

const forms = new WeakMap<readonly Sortable[], string>();

/**
 * Everything that decides what a sort prints beside its order; undefined where that depends on the search.
 */
function printedForm(sort: readonly Sortable[]): string | undefined {
  let form = forms.get(sort);
  if (form === undefined) {
    const isFixed = sort.every(
      ({ entry: { kind } }) => kind === 'numeric' || kind === 'bytes' || kind === 'id',
    );
    form = isFixed
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
    forms.set(sort, form);
  }
  return form === '' ? undefined : form;
}

function wordsOf({ bytes, at }: JsonWriter): Uint32Array {
  const words = new Uint32Array(Math.ceil(at / 4));
  new Uint8Array(words.buffer).set(bytes.subarray(0, at));
  return words;
}
