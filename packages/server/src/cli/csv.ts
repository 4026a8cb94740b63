// How is CSV read? As RFC 4180 has it: records end with CRLF or LF, fields may be quoted, a quoted field may hold
// separators, line ends and doubled quotes. Works chunk by chunk, so that a file of any size passes through.

import { StringDecoder } from 'node:string_decoder';
import { Failure } from './failure.ts';
import { LONGEST_LINE } from './lines.ts';

/** One record and the line on which it starts, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: string[];
}

// States of the reader: before a field, inside an unquoted one, inside quotes, after a quote inside quotes.
const BEFORE = 0;
const PLAIN = 1;
const QUOTED = 2;
const QUOTE = 3;
/** In the rest of a line that is passed over. */
const PASSED = 4;

/** Told of a record that cannot be read; the lines after its first are read on. */
export type OnBadRecord = (line: number, reason: string) => void;

const UNCLOSED = 'a quoted field begins here and is never closed.';
const GOES_ON = 'a quoted field goes on after its closing quote; double the quotes inside it.';

/** Records that cannot be read before nobody believes that it is CSV: each may have to be read twice. */
const MOST_BAD = 1_000;

/**
 * Reads records from text that comes in pieces. Call `push` for each piece, then `end`. O(1) per character, but for records
 * that cannot be read. Without `onBad` the first of these is thrown; the first record of all, the header, always is.
 */
export class CsvReader {
  readonly #separator: string;
  readonly #onBad: OnBadRecord | undefined;
  #state = BEFORE;
  #field = '';
  #fields: string[] = [];
  #line = 1;
  #startLine = 1;
  #afterReturn = false;
  /** The text of a record that is not whole yet. */
  #raw = '';
  #given = 0;
  #bad = 0;

  constructor(separator = ',', onBad?: OnBadRecord) {
    this.#separator = separator;
    this.#onBad = onBad;
  }

  /** The records that end within this piece. */
  push(text: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    for (let rest: string | undefined = text; rest !== undefined; ) {
      const fault = this.#read(rest, records);
      rest = fault === undefined ? undefined : this.#behind(fault, records);
    }
    this.#given += records.length;
    return records;
  }

  /** The last record, when the text does not end with a line end. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = [];
    while (this.#state === QUOTED) {
      for (let rest: string | undefined = this.#behind(UNCLOSED, records); rest !== undefined; ) {
        const fault = this.#read(rest, records);
        rest = fault === undefined ? undefined : this.#behind(fault, records);
      }
    }
    if ((this.#state !== BEFORE && this.#state !== PASSED) || this.#fields.length > 0) {
      this.#closeRecord(records);
    }
    return records;
  }

  /** Reads a piece; what is wrong with it stops the reading. */
  #read(text: string, records: CsvRecord[]): string | undefined {
    let from = 0;
    let recordFrom = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text[i];
      if (this.#state === PASSED) {
        recordFrom = i + 1;
        if (c === '\n') this.#state = BEFORE;
        continue;
      }
      if (this.#state === QUOTED) {
        if (c === '"') {
          this.#field += text.slice(from, i);
          this.#state = QUOTE;
        } else if (c === '\n') this.#line++;
        continue;
      }
      if (this.#state === QUOTE) {
        if (c === '"') {
          this.#field += '"';
          this.#state = QUOTED;
          from = i + 1;
          continue;
        }
        if (c !== this.#separator && c !== '\n' && c !== '\r') {
          this.#raw += text.slice(recordFrom);
          return GOES_ON;
        }
      } else if (c === '"' && this.#state === BEFORE) {
        this.#state = QUOTED;
        from = i + 1;
        this.#afterReturn = false;
        continue;
      }
      if (c === this.#separator || c === '\n' || c === '\r') {
        if (this.#state === PLAIN) this.#field += text.slice(from, i);
        if (c === this.#separator) {
          this.#closeField();
          this.#afterReturn = false;
        } else {
          if (!(c === '\n' && this.#afterReturn)) this.#closeRecord(records);
          this.#afterReturn = c === '\r';
          if (c === '\n') this.#line++;
          this.#startLine = this.#line + (c === '\r' ? 1 : 0);
          this.#raw = '';
          recordFrom = i + 1;
        }
      } else if (this.#state === BEFORE) {
        this.#state = PLAIN;
        this.#afterReturn = false;
        from = i;
      }
    }
    if (this.#state === PLAIN || this.#state === QUOTED) this.#field += text.slice(from);
    this.#raw += text.slice(recordFrom);
    if (this.#state === PASSED) this.#raw = '';
    return this.#field.length > LONGEST_LINE ? UNCLOSED : undefined;
  }

  /** Tells of the record at hand; what was read of it behind its first line is to be read again. */
  #behind(reason: string, records: readonly CsvRecord[]): string {
    const isHeader = this.#given + records.length === 0;
    if (this.#onBad === undefined || isHeader || ++this.#bad > MOST_BAD) {
      throw new Failure(`Line ${this.#startLine}: ${reason}`);
    }
    this.#onBad(this.#startLine, reason);
    const end = this.#raw.indexOf('\n');
    const rest = end < 0 ? '' : this.#raw.slice(end + 1);
    this.#raw = '';
    this.#field = '';
    this.#fields = [];
    this.#state = end < 0 ? PASSED : BEFORE;
    this.#afterReturn = false;
    this.#line = ++this.#startLine;
    return rest;
  }

  #closeField(): void {
    this.#fields.push(this.#field);
    this.#field = '';
    this.#state = BEFORE;
  }

  #closeRecord(records: CsvRecord[]): void {
    const blank = this.#state === BEFORE && this.#fields.length === 0;
    this.#closeField();
    if (!blank) records.push({ line: this.#startLine, fields: this.#fields });
    this.#fields = [];
  }
}

/** Records of a stream of UTF-8 bytes, a batch per chunk. */
export async function* csvBatches(
  chunks: AsyncIterable<Buffer>,
  separator: string,
  onBad?: OnBadRecord,
): AsyncGenerator<CsvRecord[]> {
  const reader = new CsvReader(separator, onBad);
  const decoder = new StringDecoder('utf8');
  for await (const chunk of chunks) {
    const records = reader.push(decoder.write(chunk));
    if (records.length > 0) yield records;
  }
  const last = [...reader.push(decoder.end()), ...reader.end()];
  if (last.length > 0) yield last;
}
