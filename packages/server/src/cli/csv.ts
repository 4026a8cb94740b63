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

/** Reads records from text that comes in pieces. Call `push` for each piece, then `end`. O(1) per character. */
export class CsvReader {
  readonly #separator: string;
  #state = BEFORE;
  #field = '';
  #fields: string[] = [];
  #line = 1;
  #startLine = 1;
  #afterReturn = false;

  constructor(separator = ',') {
    this.#separator = separator;
  }

  /** The records that end within this piece. */
  push(text: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text[i];
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
          throw new Failure(
            `Line ${this.#line}: a quoted field goes on after its closing quote; double the quotes inside it.`,
          );
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
        }
      } else if (this.#state === BEFORE) {
        this.#state = PLAIN;
        this.#afterReturn = false;
        from = i;
      }
    }
    if (this.#state === PLAIN || this.#state === QUOTED) this.#field += text.slice(from);
    if (this.#field.length > LONGEST_LINE) throw this.#unclosed();
    return records;
  }

  /** The last record, when the text does not end with a line end. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = [];
    if (this.#state === QUOTED) throw this.#unclosed();
    if (this.#state !== BEFORE || this.#fields.length > 0) this.#closeRecord(records);
    return records;
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

  #unclosed(): Failure {
    return new Failure(`Line ${this.#startLine}: a quoted field begins here and is never closed.`);
  }
}

/** Records of a stream of UTF-8 bytes, a batch per chunk. */
export async function* csvBatches(
  chunks: AsyncIterable<Buffer>,
  separator: string,
): AsyncGenerator<CsvRecord[]> {
  const reader = new CsvReader(separator);
  const decoder = new StringDecoder('utf8');
  for await (const chunk of chunks) {
    const records = reader.push(decoder.write(chunk));
    if (records.length > 0) yield records;
  }
  const last = [...reader.push(decoder.end()), ...reader.end()];
  if (last.length > 0) yield last;
}
