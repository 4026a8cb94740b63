// Reads CSV (RFC 4180) with csv-parse, chunk by chunk, so that a file of any size passes through. A record that cannot be read
// costs its first line and no other: a new parser begins on the line after it, so a quote that is never closed does not take
// the rest of the file with it.

import { type CsvError, Parser } from 'csv-parse';
import { Failure } from '../failure.ts';
import { LONGEST_LINE } from './lines.ts';

/** One record and the line on which it starts, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: string[];
}

/** Is called for a record that cannot be read; the lines after its first are read on. */
export type OnBadRecord = (line: number, reason: string) => void;

const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted field begins here and is never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted field goes on after its closing quote; double the quotes inside it.',
  INVALID_OPENING_QUOTE:
    'a quote stands inside a field without quotes; quote the field and double its quotes.',
  CSV_MAX_RECORD_SIZE: 'the record is longer than 100 MB; is a quoted field never closed?',
};

/** After so many unreadable records the file is taken for something else than CSV: each may have to be read twice. */
const MOST_BAD = 1_000;

const LF = 0x0a;
const CR = 0x0d;

/**
 * Records of a stream of UTF-8 bytes, a batch per chunk. Without `onBad` the first unreadable record is thrown as a Failure;
 * an unreadable first record, the header, always is.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  separator: string,
  onBad?: OnBadRecord,
): AsyncGenerator<CsvRecord[]> {
  const reader = new CsvReader(separator, onBad);
  for await (const chunk of chunks) {
    const records = await reader.push(chunk);
    if (records.length > 0) yield records;
  }
  const last = await reader.end();
  if (last.length > 0) yield last;
}

class CsvReader {
  readonly #separator: string;
  readonly #onBad: OnBadRecord | undefined;
  #parser: Parser;
  #records: CsvRecord[] = [];
  /** What the parser was given since the end of its last record. */
  #pending: Buffer[] = [];
  /** Where `#pending` begins, in bytes that the parser was given, and in lines of the file. */
  #offset = 0;
  #line = 1;
  /** True within the first line of an unreadable record, as long as its end has not come. */
  #skipping = false;
  #hasHeader = false;
  #bad = 0;

  constructor(separator: string, onBad: OnBadRecord | undefined) {
    this.#separator = separator;
    this.#onBad = onBad;
    this.#parser = this.#newParser();
  }

  /** The records that end within this chunk. */
  async push(chunk: Buffer): Promise<CsvRecord[]> {
    await this.#read(chunk);
    return this.#taken();
  }

  /** The last record, when the file does not end with a line end. */
  async end(): Promise<CsvRecord[]> {
    for (let isRead = false; !isRead; ) {
      const error = await outcome((done) => this.#parser.end(done));
      const rest = error && this.#afterBad(error);
      if (rest !== undefined) await this.#read(rest);
      isRead = rest === undefined;
    }
    return this.#taken();
  }

  #taken(): CsvRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  async #read(chunk: Buffer): Promise<void> {
    for (let rest: Buffer | undefined = chunk; rest !== undefined && rest.length > 0; ) {
      if (this.#skipping) {
        const end = rest.indexOf(LF);
        if (end < 0) return;
        this.#skipping = false;
        rest = rest.subarray(end + 1);
      }
      this.#pending.push(rest);
      const piece = rest;
      const error = await outcome((done) => this.#parser.write(piece, done));
      rest = error && this.#afterBad(error);
    }
  }

  #newParser(): Parser {
    const parser = new Parser({
      delimiter: this.#separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_LINE,
      on_record: (fields, { bytes }) => this.#add(fields, bytes),
    });
    // Errors come to the callbacks of `write` and `end`.
    parser.on('error', () => {});
    return parser;
  }

  /** A record that ends at a place in what the parser was given. Null: the parser need not keep it. */
  #add(fields: string[], end: number): null {
    const bytes = this.#pendingBytes();
    const length = end - this.#offset;
    const { line } = this.#firstLine(bytes);
    this.#records.push({ line, fields });
    this.#hasHeader = true;
    this.#line += lineEnds(bytes, length);
    this.#pending = [bytes.subarray(length)];
    this.#offset = end;
    return null;
  }

  /** Tells of the record at hand and gives what is to be read anew: all that came after its first line. */
  #afterBad({ code, message }: CsvError): Buffer | undefined {
    const bytes = this.#pendingBytes();
    const { line, start } = this.#firstLine(bytes);
    const reason = REASONS[code] ?? message;
    if (this.#onBad === undefined || !this.#hasHeader || ++this.#bad > MOST_BAD)
      throw new Failure(`Line ${line}: ${reason}`);
    this.#onBad(line, reason);
    const end = bytes.indexOf(LF, start);
    this.#parser = this.#newParser();
    this.#pending = [];
    this.#offset = 0;
    this.#line = line + 1;
    this.#skipping = end < 0;
    return end < 0 ? undefined : bytes.subarray(end + 1);
  }

  /** Where the record at hand begins, after the blank lines before it. */
  #firstLine(bytes: Buffer): { line: number; start: number } {
    let start = 0;
    while (bytes[start] === CR || bytes[start] === LF) start++;
    return { line: this.#line + lineEnds(bytes, start), start };
  }

  #pendingBytes(): Buffer {
    const [only, ...others] = this.#pending;
    if (only === undefined || others.length > 0) this.#pending = [Buffer.concat(this.#pending)];
    return this.#pending[0]!;
  }
}

/** What a call of the parser went wrong with; undefined where it did not. */
function outcome(call: (done: (error?: Error | null) => void) => void): Promise<CsvError | undefined> {
  return new Promise((resolve) => call((error) => resolve((error as CsvError | null) ?? undefined)));
}

/** The line ends (CRLF, LF or CR) among the first bytes. O(length). */
function lineEnds(bytes: Buffer, length: number): number {
  let ends = 0;
  for (let i = 0; i < length; i++) {
    if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) ends++;
  }
  return ends;
}
