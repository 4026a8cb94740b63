// Prints the sort values of the hits of one page: from the cache of sort texts where they are there, else
// from the documents. Misses are counted, so that a block of texts is made once enough pages have missed it
// (caches/sort-texts.ts).

import type { SortPrinter } from '../../api.ts';
import type { JsonWriter } from '../../json/json-writer.ts';
import type { OrderRun } from '../../order/rank/run.ts';
import { BLOCK, continuesWalk, type OrderTexts } from '../caches/sort-texts.ts';
import { putSort } from '../request/sort-values.ts';
import type { Sortable } from '../request/sortable.ts';
import type { SearchServices } from '../services.ts';
import type { PageDoc } from './document-page.ts';

/** A run with its cached texts. */
interface RunTexts {
  readonly run: OrderRun;
  readonly texts: OrderTexts | undefined;
  /** Whether the page continues a walk: hardly any other page will need what it misses. */
  readonly isWalk: boolean;
  /** The last block that was counted as missed: a page counts once. */
  missedBlock: number;
}

/** The sorts of one page, all printed by one printer. */
export class PageSorts {
  /** Per index, one per field. */
  readonly #sort: readonly (readonly Sortable[])[];
  readonly #count: number;
  readonly #evictions: number;
  readonly #services: SearchServices;
  readonly #runs: RunTexts[] = [];
  #last: RunTexts | undefined;

  /** For a page of `count` documents; `evictions` is `SearchCaches.evictions` when its runs were found. */
  constructor(
    sort: readonly (readonly Sortable[])[],
    count: number,
    evictions: number,
    services: SearchServices,
  ) {
    this.#sort = sort;
    this.#count = count;
    this.#evictions = evictions;
    this.#services = services;
  }

  /** Whether all documents [from, to) of a page can be printed from the cache, without their keys. */
  areCached(docs: readonly PageDoc[], from: number, to: number, printer: SortPrinter): boolean {
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
    if (texts !== undefined && !known!.isWalk) this.#noteMiss(known!, texts, found, printer);
  }

  #noteMiss(known: RunTexts, texts: OrderTexts, { at, side }: PageDoc, printer: SortPrinter): void {
    const block = Math.floor(at! / BLOCK);
    if (block === known.missedBlock) return;
    known.missedBlock = block;
    const { caches, background } = this.#services;
    // The run may lie in memory that is reused before the work has begun to read it.
    if (caches.evictions !== this.#evictions) return;
    const sort = this.#sort[side.indexPlace]!;
    const job = caches.texts.noteMiss(texts, block, known.run, sort, printer);
    if (job !== undefined) background(job.name, job.steps);
  }

  /** The texts of the run that a document was found in. A page has few runs. */
  #textsOf({ run, side, at }: PageDoc, printer: SortPrinter): RunTexts | undefined {
    if (run === undefined) return undefined;
    if (this.#last?.run === run) return this.#last;
    let known = this.#runs.find((each) => each.run === run);
    if (known === undefined) {
      const texts = this.#services.caches.texts.find(run, this.#sort[side.indexPlace]!, printer);
      const isWalk = texts !== undefined && continuesWalk(texts, at!, this.#count);
      if (texts !== undefined) texts.first = at!;
      this.#runs.push((known = { run, texts, isWalk, missedBlock: -1 }));
    }
    return (this.#last = known);
  }
}
