// Prints the head of an answer as node:http would: status, headers in their order, date, connection.

import { nodeHttp } from '../node-http.ts';

/** Characters that no header value may hold. Node refuses the same. */
const UNPRINTABLE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * The head of an answer, to be written as Latin-1. Headers are names and values in turn; `now` is one of performance.now(). Without
 * `bodyBytes` the body follows in chunks. Throws for values that cannot be printed.
 */
export function responseHead(
  status: number,
  headers: readonly string[],
  bodyBytes: number | undefined,
  connection: string,
  now: number,
): string {
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1]!;
    if (UNPRINTABLE.test(value)) throw new TypeError(`the header ${headers[at]} cannot be printed`);
    lines += `${headers[at]}: ${value}\r\n`;
  }
  const length = bodyBytes === undefined ? 'transfer-encoding: chunked' : `content-length: ${bodyBytes}`;
  return `${statusLine(status)}${lines}${length}\r\n${dateLine(now)}${connection}`;
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

/** When the current second ends, in ms of performance.now(), which every answer reads anyway. */
let secondEnds = Number.NEGATIVE_INFINITY;
let lineOfSecond = '';

/** The Date header, printed once a second. */
function dateLine(now: number): string {
  if (now >= secondEnds) {
    const date = Date.now();
    secondEnds = now + 1_000 - (date % 1_000);
    lineOfSecond = `Date: ${new Date(date).toUTCString()}\r\n`;
  }
  return lineOfSecond;
}
