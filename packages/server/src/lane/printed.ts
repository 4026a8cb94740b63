// How does an answer look on the wire? As node:http would print it: status, headers in their order, date, connection.

import { nodeHttp } from './node-http.ts';

/** What no header may have in it; Node refuses the same. */
const UNPRINTABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** Headers that many answers have, printed once. */
export class FixedHeaders {
  /** Names and values in turn. */
  readonly pairs: readonly string[];
  readonly lines: string;

  /** Throws for values that cannot be printed. */
  constructor(pairs: readonly string[]) {
    this.pairs = pairs;
    this.lines = linesOf(pairs);
  }
}

/** No headers. */
export const NO_FIXED: FixedHeaders = new FixedHeaders([]);

/** The head of an answer, to be written as Latin-1. Throws for values that cannot be printed. */
export function printedHead(
  status: number,
  fixed: FixedHeaders,
  headers: readonly string[],
  bodyBytes: number,
  connection: string,
  now: number,
): string {
  return headOf(status, fixed.lines + linesOf(headers), bodyBytes, connection, now);
}

/** The same of headers that are printed. `now` is one of performance.now(). */
export function headOf(
  status: number,
  lines: string,
  bodyBytes: number,
  connection: string,
  now: number,
): string {
  return `${statusLine(status)}${lines}content-length: ${bodyBytes}\r\n${dateLine(now)}${connection}`;
}

/** Names and values in turn, a line each. Throws for values that cannot be printed. */
export function linesOf(pairs: readonly string[]): string {
  let text = '';
  for (let at = 0; at < pairs.length; at += 2) {
    const value = pairs[at + 1]!;
    if (UNPRINTABLE.test(value)) throw new TypeError(`the header ${pairs[at]} cannot be printed`);
    text += `${pairs[at]}: ${value}\r\n`;
  }
  return text;
}

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  let line = statusLines.get(status);
  if (line === undefined) {
    line = `HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status] ?? 'unknown'}\r\n`;
    statusLines.set(status, line);
  }
  return line;
}

/** When the second ends, in ms of performance.now(), which an answer has asked for anyway. */
let secondEnds = Number.NEGATIVE_INFINITY;
let lineOfSecond = '';

/** The time as headers have it, made once a second. */
function dateLine(now: number): string {
  if (now >= secondEnds) {
    const date = Date.now();
    secondEnds = now + 1_000 - (date % 1_000);
    lineOfSecond = `Date: ${new Date(date).toUTCString()}\r\n`;
  }
  return lineOfSecond;
}
