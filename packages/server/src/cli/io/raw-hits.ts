// Finds the id and source of each hit in a search reply without building objects, so that exported documents
// keep their bytes: long numbers, spelling and order of keys.

/** A hit, as slices of the reply. */
export interface RawHit {
  readonly index: string;
  readonly id: string;
  readonly source: Buffer;
  /** Present if the request asked for it. */
  readonly version?: number;
  readonly seqNo?: number;
  readonly routing?: string;
  /** Present if it is not `_doc`. */
  readonly type?: string;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;

/**
 * The hits of a `_search` reply, in one pass over its bytes. The reply is trusted to be JSON, since it comes
 * from a server of this protocol.
 */
export function readHits(reply: Buffer): RawHit[] {
  const hits: RawHit[] = [];
  const outer = findValue(reply, 0, 'hits');
  const list = outer === undefined ? undefined : findValue(reply, outer, 'hits');
  if (list === undefined) return hits;
  for (let at = skipSpace(reply, list + 1); reply[at] === 0x7b; ) {
    let index = '';
    let id = '';
    let source: Buffer | undefined;
    const rest: { version?: number; seqNo?: number; routing?: string; type?: string } = {};
    const end = eachMember(reply, at, (key, start, stop) => {
      if (key === '_index') index = textAt(reply, start, stop);
      else if (key === '_id') id = textAt(reply, start, stop);
      else if (key === '_source') source = reply.subarray(start, stop);
      else if (key === '_version') rest.version = numberAt(reply, start, stop);
      else if (key === '_seq_no') rest.seqNo = numberAt(reply, start, stop);
      else if (key === '_routing') rest.routing = textAt(reply, start, stop);
      else if (key === '_type') rest.type = textAt(reply, start, stop);
      return true;
    });
    hits.push({ index, id, source: source === undefined ? Buffer.from('{}') : joinLines(source), ...rest });
    at = skipSpace(reply, end);
    if (reply[at] === COMMA) at = skipSpace(reply, at + 1);
  }
  return hits;
}

/**
 * Replaces line ends by spaces. A stored document may be pretty-printed; JSON strings contain no line ends.
 */
export function joinLines(source: Buffer): Buffer {
  if (!source.includes(10) && !source.includes(13)) return source;
  const copy = Buffer.from(source);
  for (let i = 0; i < copy.length; i++) if (copy[i] === 10 || copy[i] === 13) copy[i] = 32;
  return copy;
}

function numberAt(json: Buffer, start: number, end: number): number {
  return Number(json.toString('latin1', start, end));
}

function textAt(json: Buffer, start: number, end: number): string {
  return String(JSON.parse(json.toString('utf8', start, end)));
}

/** The range of a member's value in the object at `object`. O(length of the object). */
export function findMember(
  json: Buffer,
  object: number,
  key: string,
): { start: number; end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  eachMember(json, object, (each, start, end) => {
    if (each === key) found = { start, end };
    return found === undefined;
  });
  return found;
}

/** The start of a member's value; nothing after it is read. */
function findValue(json: Buffer, object: number, key: string): number | undefined {
  let at = skipSpace(json, skipSpace(json, object) + 1);
  while (json[at] === QUOTE) {
    const keyEnd = stringEnd(json, at) + 1;
    const colon = skipSpace(json, keyEnd);
    if (json[colon] !== COLON) return undefined;
    const start = skipSpace(json, colon + 1);
    if (keyAt(json, at, keyEnd) === key) return start;
    at = skipSpace(json, valueEnd(json, start));
    if (json[at] !== COMMA) return undefined;
    at = skipSpace(json, at + 1);
  }
  return undefined;
}

/**
 * Visits the members of an object until `visit` returns false; returns the end of the object or of the last
 * visited member.
 */
function eachMember(
  json: Buffer,
  object: number,
  visit: (key: string, start: number, end: number) => boolean,
): number {
  let at = skipSpace(json, skipSpace(json, object) + 1);
  while (json[at] === QUOTE) {
    const keyEnd = stringEnd(json, at) + 1;
    const colon = skipSpace(json, keyEnd);
    if (json[colon] !== COLON) return colon;
    const start = skipSpace(json, colon + 1);
    const end = valueEnd(json, start);
    if (!visit(keyAt(json, at, keyEnd), start, end)) return end;
    at = skipSpace(json, end);
    if (json[at] !== COMMA) break;
    at = skipSpace(json, at + 1);
  }
  return at + 1;
}

function keyAt(json: Buffer, start: number, end: number): string {
  const plain = json.toString('utf8', start + 1, end - 1);
  return plain.includes('\\') ? textAt(json, start, end) : plain;
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (json[at] === 32 || json[at] === 10 || json[at] === 13 || json[at] === 9) at++;
  return at;
}

/** The end of the value that starts at `from`. */
function valueEnd(json: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const c = json[at];
    if (c === QUOTE) {
      at = stringEnd(json, at);
      if (depth === 0) return at + 1;
    } else if (c === 0x7b || c === 0x5b) depth++;
    else if (c === 0x7d || c === 0x5d) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (c === COMMA || c === 32 || c === 10 || c === 13 || c === 9)) return at;
  }
  return json.length;
}

/** Bytes of a string checked one by one; in a longer string the quote is searched. */
const SHORT = 24;

/** The closing quote of the string that opens at `from`. */
function stringEnd(json: Buffer, from: number): number {
  const near = Math.min(json.length, from + SHORT);
  let at = from + 1;
  for (; at < near; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  for (;;) {
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    // Escaped if an odd number of backslashes precedes it, within this search.
    let backslashes = 0;
    while (quote - 1 - backslashes >= at && json[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
}
