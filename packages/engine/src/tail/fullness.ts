// When does a tail take no more documents? When it has so many, or takes so much memory that what comes would be refused
// before it is sealed.

/** Limits of a tail. */
export interface TailOptions {
  /** Documents it may hold. @default 65536 */
  readonly limit?: number;
  /** Bytes that it may take, about: it is full then as well. @default Infinity */
  readonly mostBytes?: number;
  /** Documents from which minis are not merged with others. @default 16384 */
  readonly largest?: number;
}

/** What a tail takes is looked at after so many documents. */
const LOOK_DOCS = 8;

/** Whether a tail is full. Once it is, it stays so. */
export class TailFullness {
  readonly limit: number;
  readonly #mostBytes: number;
  #looked = 0;
  #isLarge = false;

  constructor({ limit = 65_536, mostBytes = Number.POSITIVE_INFINITY }: TailOptions) {
    this.limit = limit;
    this.#mostBytes = mostBytes;
  }

  /** Of one that has so many documents. */
  isFull(docs: number): boolean {
    return this.#isLarge || docs >= this.limit;
  }

  /** There are so many documents now. */
  noteCount(docs: number, tail: { readonly bytes: number }): void {
    if (docs - this.#looked < LOOK_DOCS || this.#mostBytes === Number.POSITIVE_INFINITY) return;
    this.#looked = docs;
    this.#isLarge ||= tail.bytes > this.#mostBytes;
  }
}
