// Reads the heads of plain requests. A plain head is one that no two parsers read differently: a common
// method, every header once on a line of printable characters, and a body with a length or none. All other
// heads are left to Node's parser; nothing is refused here.

import type { IncomingHttpHeaders } from 'node:http';
import type { Head } from './request.ts';

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'];
const TARGET = /^\/[\x21-\x7e]*$/;
const LINE_REST = ' HTTP/1.1';
const HEADERS = /^(?:[A-Za-z0-9-]{1,64}: ?[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/;
const LENGTH = /^\d{1,9}$/;
const MOST_DIGITS = 9;
const DIGIT_0 = 0x30;
const HEAD_END = '\r\n\r\n';
const SPACE = 0x20;

/** Requests with one of these headers are left to Node's parser. */
const SPECIAL: ReadonlySet<string> = new Set([
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Bytes by which the next head may exceed the last one: a longer target or length. */
const SPARE_BYTES = 64;
/** Usual clients send a dozen headers. */
const MOST_LINES = 100;
/**
 * Header blocks in the memo, without Content-Length; a client sends few different ones. A full memo is emptied. An
 * entry depends on its key only, the text of the block, so it never becomes invalid.
 */
const MOST_BLOCKS = 500;
const LONGEST_BLOCK = 2_048;
/** How clients write the name of Content-Length. */
const LENGTH_LINES = ['\r\ncontent-length: ', '\r\nContent-Length: '] as const;

/** The head of a plain request. */
export interface PlainHead extends Omit<Head, 'socket'> {
  readonly method: string;
  /** Bytes of the head, with its empty line. */
  readonly headBytes: number;
  /** Bytes of the body that follows. */
  readonly bodyBytes: number;
}

/** A header block: the headers without the length of the body, and that length. */
interface Block {
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
}

/** The text of the last header block, before and behind the length of the body. */
interface Lines {
  readonly before: string;
  /** Empty where the block has no length. */
  readonly after: string;
  readonly block: Block;
}

/**
 * Reads the heads of one server. Most requests have the same headers as an earlier one, except for the length
 * of the body.
 */
export class PlainHeadReader {
  readonly #blocks = new Map<string, Block>();
  readonly #mostBytes: number;
  #last: Lines | undefined;
  /** The length of the last head, and a little more: so many bytes are decoded first, because a body may be long. */
  #usual = 0;

  /** Heads of more than `mostBytes` are not plain. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The head that `bytes` begin with; undefined where it is not plain or not whole. O(head). */
  read(bytes: Buffer): PlainHead | undefined {
    const most = Math.min(bytes.length, this.#mostBytes);
    const first = Math.min(most, this.#usual);
    let text = bytes.latin1Slice(0, first);
    let end = text.indexOf(HEAD_END);
    if (end < 0 && first < most) {
      text = bytes.latin1Slice(0, most);
      end = text.indexOf(HEAD_END);
    }
    const lineEnd = text.indexOf('\r\n');
    if (end < 0 || lineEnd === end) return undefined;
    this.#usual = end + SPARE_BYTES;
    const method = methodOf(text);
    const targetEnd = lineEnd - LINE_REST.length;
    if (method === undefined || text.slice(targetEnd, lineEnd) !== LINE_REST) return undefined;
    const target = text.slice(method.length + 1, targetEnd);
    if (!TARGET.test(target)) return undefined;
    const block = this.#blockOf(text, lineEnd, end + 2);
    if (block === undefined) return undefined;
    const { headers, bodyBytes } = block;
    return { method, target, headers, headBytes: end + HEAD_END.length, bodyBytes };
  }

  /**
   * The block of lines [from, to), which begin with the end of the line before. Blocks that differ only in
   * the length share their headers.
   */
  #blockOf(text: string, from: number, to: number): Block | undefined {
    // Comparing with the last block costs less than a look-up.
    const last = this.#last === undefined ? undefined : sameAs(this.#last, text, from, to);
    return last ?? this.#find(text.slice(from, to));
  }

  #find(lines: string): Block | undefined {
    const at = lengthAt(lines);
    const end = at < 0 ? at : lines.indexOf('\r', at);
    const length = at < 0 ? '0' : lines.slice(at, end);
    const key = at < 0 ? lines : lines.slice(0, at) + lines.slice(end);
    const cached = LENGTH.test(length) ? this.#blocks.get(key) : undefined;
    const again = at < 0 ? cached : cached && { headers: cached.headers, bodyBytes: Number(length) };
    const block = again ?? readBlock(lines.slice(2));
    if (block === undefined || lines.length > LONGEST_BLOCK) return block;
    if (cached === undefined) {
      if (this.#blocks.size >= MOST_BLOCKS) this.#blocks.clear();
      this.#blocks.set(key, block);
    }
    this.#last =
      at < 0
        ? { before: lines, after: '', block }
        : { before: lines.slice(0, at), after: lines.slice(end), block };
    return block;
  }
}

/** The block of lines [from, to) if they equal cached lines except for the length. */
function sameAs({ before, after, block }: Lines, text: string, from: number, to: number): Block | undefined {
  // `startsWith` compares single characters; whole strings are compared eight bytes at a time.
  const start = from + before.length;
  if (text.slice(from, start) !== before) return undefined;
  if (after === '') return start === to ? block : undefined;
  const end = to - after.length;
  if (end <= start || end - start > MOST_DIGITS || text.slice(end, to) !== after) return undefined;
  let bodyBytes = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit > 9) return undefined;
    bodyBytes = bodyBytes * 10 + digit;
  }
  return bodyBytes === block.bodyBytes ? block : { headers: block.headers, bodyBytes };
}

/** The method at the start of a request, if a space follows it. */
function methodOf(text: string): string | undefined {
  for (const method of METHODS)
    if (text.startsWith(method) && text.charCodeAt(method.length) === SPACE) return method;
  return undefined;
}

/** Where the value of Content-Length begins; -1 if no line has it in a usual spelling. */
function lengthAt(lines: string): number {
  for (const line of LENGTH_LINES) {
    const at = lines.indexOf(line);
    if (at >= 0) return at + line.length;
  }
  return -1;
}

function readBlock(text: string): Block | undefined {
  if (!HEADERS.test(text)) return undefined;
  const found = Object.create(null) as Record<string, string>;
  const lines = text.split('\r\n', MOST_LINES + 2);
  if (lines.length > MOST_LINES) return undefined;
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    if (SPECIAL.has(name) || found[name] !== undefined) return undefined;
    found[name] = line.slice(colon + 1).trim();
  }
  const { host, connection = 'keep-alive', 'content-length': length = '0' } = found;
  if (host === undefined || connection.toLowerCase() !== 'keep-alive' || !LENGTH.test(length))
    return undefined;
  delete found['content-length'];
  return { headers: Object.freeze(found), bodyBytes: Number(length) };
}

declare global {
  interface Buffer {
    /** `toString('latin1')` without looking at the encoding. */
    latin1Slice(start: number, end: number): string;
  }
}
