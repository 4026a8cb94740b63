// Decides when a tail is full: at 65,536 documents, or when it takes so much memory that new documents
// would be refused before it is sealed. A tail without room for a document is sealed, however few it
// has.

/** Limits of a tail. */
export interface TailOptions {
  /** Most documents. @default 65536 */
  readonly limit?: number;
  /** About the most bytes; a tail that takes more is full. @default Infinity */
  readonly mostBytes?: number;
  /** Minis with so many documents are not merged any more. @default 16384 */
  readonly largest?: number;
}

/** The bytes are measured once per so many documents. */
const MEASURE_DOCS = 8;

/** Whether a tail is full. A full tail stays full. */
export class TailFullness {
  readonly limit: number;
  readonly #mostBytes: number;
  #measuredAt = 0;
  #isLarge = false;

  constructor({ limit = 65_536, mostBytes = Number.POSITIVE_INFINITY }: TailOptions) {
    this.limit = limit;
    this.#mostBytes = mostBytes;
  }

  /** Whether a tail with so many documents is full. */
  isFull(docs: number): boolean {
    return this.#isLarge || docs >= this.limit;
  }

  /** Notes the new number of documents. */
  noteCount(docs: number, tail: { readonly bytes: number }): void {
    if (docs - this.#measuredAt < MEASURE_DOCS || this.#mostBytes === Number.POSITIVE_INFINITY) return;
    this.#measuredAt = docs;
    this.#isLarge ||= tail.bytes > this.#mostBytes;
  }
}
