// Is this a whole request that nobody could read in two ways? One POST to /api/transaction without a body, its headers each
// on a line, printable and once. Everything else is for Node's parser; nothing is refused here.

import type { IncomingHttpHeaders } from 'node:http';
import type { Head } from '../api/hot/transfers.ts';

const START = 'POST /api/transaction';
const LINE_END = ' HTTP/1.1\r\n';
const HEADERS = /^(?:[A-Za-z0-9-]{1,64}: ?[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+\r\n$/;
const TARGET = /^[\x21-\x7e]+$/;

/** Headers that decide what becomes of a request. Others are not looked at, as in the long way. */
const NAMES: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'forwarded',
  'host',
  'idempotency-key',
  'origin',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
]);

/** Headers that make a request one for Node's parser, whatever they say. */
const SPECIAL: ReadonlySet<string> = new Set([
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A plain client sends a dozen. */
const MOST_LINES = 100;

/** Reads the heads of one connection: its next request most often has the headers of the last one. */
export class PlainHeads {
  #lastText = '';
  #lastHeaders: IncomingHttpHeaders | undefined;

  /** The head of a request that is all that `bytes` are; undefined where it is not plain. O(bytes). */
  read(bytes: Buffer): Omit<Head, 'socket'> | undefined {
    const text = bytes.toString('latin1');
    if (!text.startsWith(START)) return undefined;
    const end = text.indexOf(LINE_END);
    if (end < 0) return undefined;
    const target = text.slice(START.indexOf('/'), end);
    if (!TARGET.test(target)) return undefined;
    const lines = text.slice(end + LINE_END.length);
    if (lines !== this.#lastText || this.#lastHeaders === undefined) {
      this.#lastHeaders = headersOf(lines);
      this.#lastText = lines;
    }
    return this.#lastHeaders === undefined ? undefined : { target, headers: this.#lastHeaders };
  }
}

function headersOf(lines: string): IncomingHttpHeaders | undefined {
  if (!HEADERS.test(lines)) return undefined;
  const found: Record<string, string> = {};
  const all = lines.split('\r\n');
  if (all.length > MOST_LINES) return undefined;
  for (const line of all) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    if (SPECIAL.has(name)) return undefined;
    if (!NAMES.has(name)) continue;
    if (found[name] !== undefined) return undefined;
    found[name] = line.slice(colon + 1).trim();
  }
  const { host, connection = 'keep-alive', 'content-length': length = '0' } = found;
  return host !== undefined && connection.toLowerCase() === 'keep-alive' && length === '0'
    ? found
    : undefined;
}
