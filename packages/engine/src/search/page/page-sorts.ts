// How is the sort of the hits of one page printed? As it was printed before, where that is kept (sort-texts.ts); what is not
// is printed anew, and told, so that it is kept when enough pages have shown it.

import type { JsonWriter } from '../../json/json-writer.ts';
import type { Run } from '../../order/run.ts';
import type { SortPrinter } from '../request/request.ts';
import type { Sortable } from '../request/sortable.ts';
import type { SearchServices } from '../services.ts';
import type { PageDoc } from './document-page.ts';
import { putSort } from './printed-sort.ts';
import { BLOCK, goesOn, type OrderTexts } from './sort-texts.ts';

/** The texts of a run. */
interface RunTexts {
  readonly run: Run;
  readonly texts: OrderTexts | undefined;
  /** Whether the page goes on with a walk: what it misses, hardly any other page may want. */
  readonly isWalk: boolean;
  /** The last block that was told to be missed: a page counts once. */
  missed: number;
}

/** Sorts of a page. All of them are printed by one printer. */
export class PageSorts {
  /** Per index, one per field. */
  readonly #sort: readonly (readonly Sortable[])[];
  readonly #count: number;
  readonly #forgotten: number;
  readonly #services: SearchServices;
  readonly #runs: RunTexts[] = [];
  #last: RunTexts | undefined;

  /** Of a page of `count` documents. `forgotten`: what caches had when its runs were found. */
  constructor(
    sort: readonly (readonly Sortable[])[],
    count: number,
    forgotten: number,
    services: SearchServices,
  ) {
    this.#sort = sort;
    this.#count = count;
    this.#forgotten = forgotten;
    this.#services = services;
  }

  /** Whether all documents [from, to) of a page can be printed without a look at their keys. */
  areKept(docs: readonly PageDoc[], from: number, to: number, printer: SortPrinter): boolean {
    for (let i = from; i < to; i++) {
      const found = docs[i]!;
      if (this.#textsOf(found, printer)?.texts?.has(found.at!) !== true) return false;
    }
    return true;
  }

  /** Writes the sort of a document. */
  put(found: PageDoc, printer: SortPrinter, out: JsonWriter): void {
    const known = this.#textsOf(found, printer);
    const texts = known?.texts;
    if (texts !== undefined) texts.last = found.at!;
    if (texts?.put(found.at!, out) === true) return;
    putSort(this.#sort[found.side.indexPlace]!, found, printer, out);
    if (texts !== undefined && !known!.isWalk) this.#missed(known!, texts, found, printer);
  }

  #missed(known: RunTexts, texts: OrderTexts, { at, side }: PageDoc, printer: SortPrinter): void {
    const block = Math.floor(at! / BLOCK);
    if (block === known.missed) return;
    known.missed = block;
    const { caches, background } = this.#services;
    // What the run lies in may be used again before the work has begun to read it.
    if (caches.forgotten !== this.#forgotten) return;
    const sort = this.#sort[side.indexPlace]!;
    const making = caches.texts.missed(texts, block, known.run, sort, printer);
    if (making !== undefined) background(making.name, making.steps);
  }

  /** What is known of the run that a document was found in. A page has few of them. */
  #textsOf({ run, side, at }: PageDoc, printer: SortPrinter): RunTexts | undefined {
    if (run === undefined) return undefined;
    if (this.#last?.run === run) return this.#last;
    let known = this.#runs.find((each) => each.run === run);
    if (known === undefined) {
      const texts = this.#services.caches.texts.of(run, this.#sort[side.indexPlace]!, printer);
      const isWalk = texts !== undefined && goesOn(texts, at!, this.#count);
      if (texts !== undefined) texts.first = at!;
      this.#runs.push((known = { run, texts, isWalk, missed: -1 }));
    }
    return (this.#last = known);
  }
}
