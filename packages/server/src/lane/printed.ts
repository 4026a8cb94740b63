// How does an answer look on the wire? As node:http would print it: status, headers in their order, date, connection.

import { STATUS_CODES } from 'node:http';

/** What no header may have in it; Node refuses the same. */
const UNPRINTABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** The head of an answer, to be written as Latin-1. Throws for values that cannot be printed. */
export function printedHead(
  status: number,
  headers: readonly string[],
  bodyBytes: number,
  connection: string,
): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1]!;
    if (UNPRINTABLE.test(value)) throw new TypeError(`the header ${headers[at]} cannot be printed`);
    text += `${headers[at]}: ${value}\r\n`;
  }
  return `${text}content-length: ${bodyBytes}\r\n${dateLine()}${connection}`;
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
