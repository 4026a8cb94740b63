// How is the sort of the hits of one page printed? As it was printed before, where that is kept (sort-texts.ts); what is not
// is printed anew, and told, so that it is kept when enough pages have shown it.

import type { JsonWriter } from '../json/writer.ts';
import type { Run } from '../order/run.ts';
import type { PageDoc } from './page.ts';
import { putSort } from './printed-sort.ts';
import type { SortPrinter } from './request.ts';
import type { SearchServices } from './services.ts';
import { BLOCK, type OrderTexts } from './sort-texts.ts';
import type { Sortable } from './sortable.ts';

/** The texts of a run. */
interface RunTexts {
  readonly run: Run;
  readonly texts: OrderTexts | undefined;
  /** The last block that was told to be missed: a page counts once. */
  missed: number;
}

/** Sorts of a page. All of them are printed by one printer. */
export class PageSorts {
  /** Per index, one per field. */
  readonly #sort: readonly (readonly Sortable[])[];
  readonly #services: SearchServices;
  readonly #runs: RunTexts[] = [];
  #last: RunTexts | undefined;

  constructor(sort: readonly (readonly Sortable[])[], services: SearchServices) {
    this.#sort = sort;
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
    if (known?.texts?.put(found.at!, out) === true) return;
    putSort(this.#sort[found.side.indexPlace]!, found, printer, out);
    if (known?.texts !== undefined) this.#missed(known, known.texts, found, printer);
  }

  #missed(known: RunTexts, texts: OrderTexts, { at, side }: PageDoc, printer: SortPrinter): void {
    const block = Math.floor(at! / BLOCK);
    if (block === known.missed) return;
    known.missed = block;
    const { caches, background } = this.#services;
    const sort = this.#sort[side.indexPlace]!;
    const making = caches.texts.missed(texts, block, known.run, sort, printer);
    if (making !== undefined) background(making.name, making.steps);
  }

  /** What is known of the run that a document was found in. A page has few of them. */
  #textsOf({ run, side }: PageDoc, printer: SortPrinter): RunTexts | undefined {
    if (run === undefined) return undefined;
    if (this.#last?.run === run) return this.#last;
    let known = this.#runs.find((each) => each.run === run);
    if (known === undefined) {
      const texts = this.#services.caches.texts.of(run, this.#sort[side.indexPlace]!, printer);
      this.#runs.push((known = { run, texts, missed: -1 }));
    }
    return (this.#last = known);
  }
}
