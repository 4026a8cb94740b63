// Reads CSV (RFC 4180) with csv-parse, chunk by chunk, so a file of any size passes through. An unreadable
// record costs only its first line: a new parser starts on the next line, so an unclosed quote does not
// swallow the rest of the file.

import { type CsvError, Parser } from 'csv-parse';
import { Failure } from '../failure.ts';
import { LONGEST_LINE } from './lines.ts';

/** A record and the line it starts on, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: string[];
}

/** Called for an unreadable record; reading continues after its first line. */
export type OnBadRecord = (line: number, reason: string) => void;

const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted field starts here and is never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted field continues after its closing quote; double the quotes inside it.',
  INVALID_OPENING_QUOTE: 'an unquoted field contains a quote; quote the field and double its quotes.',
  CSV_MAX_RECORD_SIZE: 'the record is longer than 100 MB; is a quoted field never closed?',
};

/** After this many unreadable records the file is rejected: each may have to be read twice. */
const MOST_BAD = 1_000;

const LF = 0x0a;
const CR = 0x0d;

/**
 * Records of a UTF-8 stream, a batch per chunk. Without a separator the header decides, as far as it is in the first chunk. Without
 * `onBad` the first unreadable record is thrown as a Failure; an unreadable header always is.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  separator: string | undefined,
  onBad?: OnBadRecord,
): AsyncGenerator<CsvRecord[]> {
  let reader: CsvReader | undefined;
  for await (const chunk of chunks) {
    reader ??= new CsvReader(separator ?? csvSeparator(chunk), onBad);
    const records = await reader.push(chunk);
    if (records.length > 0) yield records;
  }
  const last = (await reader?.end()) ?? [];
  if (last.length > 0) yield last;
}

/** The separator that is most frequent in a header outside of quotes: a comma, a semicolon or a tab; a comma if there is none. */
export function csvSeparator(start: Buffer): string {
  const [header = ''] = start
    .toString('utf8')
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (separator: string): number => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

class CsvReader {
  readonly #separator: string;
  readonly #onBad: OnBadRecord | undefined;
  #parser: Parser;
  #records: CsvRecord[] = [];
  /** Input since the end of the last record. */
  #pending: Buffer[] = [];
  /** Where `#pending` starts, in bytes given to the parser and in lines of the file. */
  #offset = 0;
  #line = 1;
  /** True while skipping the first line of an unreadable record. */
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

  /** The last record, if the file does not end with a line end. */
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
    // Errors reach the callbacks of `write` and `end`.
    parser.on('error', () => {});
    return parser;
  }

  /** Adds a record that ends at `end` of the input. Null: the parser need not keep it. */
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

  /** Reports the current record and returns the input to read again: everything after its first line. */
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

  /** Where the current record starts, after blank lines. */
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

/** The error of a parser call; undefined on success. */
function outcome(call: (done: (error?: Error | null) => void) => void): Promise<CsvError | undefined> {
  return new Promise((resolve) => call((error) => resolve((error as CsvError | null) ?? undefined)));
}

/** Counts line ends (CRLF, LF or CR) in the first bytes. O(length). */
function lineEnds(bytes: Buffer, length: number): number {
  let ends = 0;
  for (let i = 0; i < length; i++) {
    if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) ends++;
  }
  return ends;
}
