// How are the sort values of a document handed to who prints them? One document at a time, read where they lie.

import type { JsonWriter } from '../../json/json-writer.ts';
import type { SortPrinter, SortValue, SortValues } from '../request/request.ts';
import type { Sortable } from '../request/sortable.ts';
import type { PageDoc } from './document-page.ts';
import { putTerm, sortValue } from './sort-values.ts';

/** The values of one document at a time. */
class DocSortValues implements SortValues {
  #sort: readonly Sortable[] = [];
  #doc: PageDoc | undefined;

  get length(): number {
    return this.#sort.length;
  }

  look(sort: readonly Sortable[], doc: PageDoc): void {
    this.#sort = sort;
    this.#doc = doc;
  }

  putText(entry: number, out: JsonWriter): boolean {
    const { side, doc } = this.#doc!;
    return putTerm(this.#sort[entry]!, side.keys[entry], doc, out);
  }

  value(entry: number): SortValue {
    const { side, doc, score } = this.#doc!;
    return sortValue(this.#sort[entry]!, entry, side, doc, score, true);
  }
}

const values = new DocSortValues();

/** Prints what a document shows as its sort. */
export function putSort(
  sort: readonly Sortable[],
  doc: PageDoc,
  printer: SortPrinter,
  out: JsonWriter,
): void {
  values.look(sort, doc);
  printer.put(values, out);
}
