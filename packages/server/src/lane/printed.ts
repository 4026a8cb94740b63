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
): string {
  const own = linesOf(headers);
  return `${statusLine(status)}${fixed.lines}${own}content-length: ${bodyBytes}\r\n${dateLine()}${connection}`;
}

function linesOf(pairs: readonly string[]): string {
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

let second = 0;
let lineOfSecond = '';

/** The time as headers have it, made once a second. */
export function dateLine(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    lineOfSecond = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`;
  }
  return lineOfSecond;
}
