// Parses the common form of a batch body in one pass over the bytes, straight into columns. Anything unusual
// (an unknown or repeated name, an escape, an exponent, a reference) is left to the general parser, which
// reports errors.

import { MOST_IN_BATCH, TransferColumns } from '@octavo/records';

/** As in the schemas of accounts and transactions. */
const ACCOUNT = /^[A-Za-z0-9_~-][A-Za-z0-9._~:@-]{0,127}$/;
const LONGEST_CURRENCY = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const DOT = 0x2e;
const ZERO = 0x30;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
/** Digits of an amount that are exact as a JS number. */
const MOST_DIGITS = 15;

/** Internal: the body is not of the common form. */
class NotPlain extends Error {}

/** Undefined if the body is not of the common form. O(bytes). */
export function scanBatch(bytes: Uint8Array): TransferColumns | undefined {
  try {
    return new BatchScanner(bytes).batch();
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class BatchScanner {
  readonly #bytes: Uint8Array;
  #at = 0;
  readonly #names = new AccountNames();
  readonly #sides: number[] = [];
  readonly #digits: number[] = [];
  readonly #decimals: number[] = [];
  readonly #currencies: (string | undefined)[] = [];
  /** True while all transfers have the same currency, or none has one. */
  #sameCurrency = true;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  batch(): TransferColumns {
    this.#expect(OPEN);
    const [start, end] = this.#string();
    if (!this.#is(start, end, 'transfers')) throw new NotPlain();
    this.#expect(COLON);
    this.#expect(OPEN_LIST);
    do this.#transfer();
    while (this.#goesOn(CLOSE_LIST));
    this.#expect(CLOSE);
    this.#blanks();
    if (this.#at !== this.#bytes.length) throw new NotPlain();
    return new TransferColumns({
      length: this.#digits.length,
      names: this.#names.texts,
      sides: Uint32Array.from(this.#sides),
      digits: Float64Array.from(this.#digits),
      decimals: Uint8Array.from(this.#decimals),
      money: undefined,
      currency: this.#sameCurrency ? this.#currencies[0] : this.#currencies,
      reference: undefined,
      externalId: undefined,
    });
  }

  #transfer(): void {
    if (this.#digits.length === MOST_IN_BATCH) throw new NotPlain();
    let from = -1;
    let to = -1;
    let currency: string | undefined;
    let hasMoney = false;
    this.#expect(OPEN);
    do {
      const [start, end] = this.#string();
      this.#expect(COLON);
      if (from < 0 && this.#is(start, end, 'from')) from = this.#account();
      else if (to < 0 && this.#is(start, end, 'to')) to = this.#account();
      else if (!hasMoney && this.#is(start, end, 'money')) {
        this.#money();
        hasMoney = true;
      } else if (currency === undefined && this.#is(start, end, 'currency')) currency = this.#currency();
      else throw new NotPlain();
    } while (this.#goesOn(CLOSE));
    if (from < 0 || to < 0 || !hasMoney) throw new NotPlain();
    this.#sides.push(from, to);
    this.#currencies.push(currency);
    this.#sameCurrency &&= currency === this.#currencies[0];
  }

  #account(): number {
    const [start, end] = this.#string();
    return this.#names.indexOf(this.#bytes, start, end);
  }

  #currency(): string {
    const [start, end] = this.#string();
    if (end === start || end - start > LONGEST_CURRENCY) throw new NotPlain();
    return latin1(this.#bytes, start, end);
  }

  /** Same rules as plainPoint() of the records. */
  #money(): void {
    const [start, end] = this.#string();
    if (end === start || end - start > MOST_DIGITS) throw new NotPlain();
    let value = 0;
    let point = end;
    for (let i = start; i < end; i++) {
      const code = this.#bytes[i]!;
      if (code === DOT && point === end) point = i;
      else if (code < ZERO || code > ZERO + 9) throw new NotPlain();
      else value = value * 10 + code - ZERO;
    }
    if (point === start || point === end - 1) throw new NotPlain();
    if (this.#bytes[start] === ZERO && point > start + 1) throw new NotPlain();
    this.#digits.push(value);
    this.#decimals.push(point === end ? 0 : end - point - 1);
  }

  /** The range of a string's text: printable ASCII without escapes. */
  #string(): readonly [start: number, end: number] {
    this.#expect(QUOTE);
    const start = this.#at;
    for (let at = start; at < this.#bytes.length; at++) {
      const code = this.#bytes[at]!;
      if (code === QUOTE) {
        this.#at = at + 1;
        return [start, at];
      }
      if (code < 0x20 || code > 0x7e || code === BACKSLASH) break;
    }
    throw new NotPlain();
  }

  #is(start: number, end: number, text: string): boolean {
    if (end - start !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (this.#bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  /** True after a comma, false after the end of a list or object. */
  #goesOn(end: number): boolean {
    this.#blanks();
    const code = this.#bytes[this.#at++];
    if (code === COMMA) return true;
    if (code !== end) throw new NotPlain();
    return false;
  }

  #expect(code: number): void {
    if (this.#bytes[this.#at] !== code) this.#blanks();
    if (this.#bytes[this.#at++] !== code) throw new NotPlain();
  }

  #blanks(): void {
    for (;;) {
      const code = this.#bytes[this.#at];
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }
}

/** Account names by their bytes, so that each is decoded only once. */
class AccountNames {
  readonly texts: string[] = [];
  readonly #starts: number[] = [];
  readonly #next: number[] = [];
  /** The newest name of each hash. */
  readonly #heads = new Map<number, number>();

  indexOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
    const head = this.#heads.get(hash) ?? -1;
    for (let place = head; place >= 0; place = this.#next[place]!) {
      if (this.texts[place]!.length === end - start && equalBytes(bytes, this.#starts[place]!, start, end))
        return place;
    }
    const text = latin1(bytes, start, end);
    if (!ACCOUNT.test(text)) throw new NotPlain();
    const place = this.texts.push(text) - 1;
    this.#starts.push(start);
    this.#next.push(head);
    this.#heads.set(hash, place);
    return place;
  }
}

function equalBytes(bytes: Uint8Array, other: number, start: number, end: number): boolean {
  for (let i = 0; i < end - start; i++) if (bytes[other + i] !== bytes[start + i]) return false;
  return true;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
