// Which bytes of a search reply are the documents? Finds the id and the source of each hit without building objects,
// so that what is exported is what was stored: long numbers, spelling and order of keys included.

/** One hit, as slices of the reply. */
export interface RawHit {
  readonly index: string;
  readonly id: string;
  readonly source: Buffer;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;

/** The hits of a reply of `_search`. The reply is trusted to be JSON, as it comes from a server of this wire. */
export function hitsOf(reply: Buffer): RawHit[] {
  const hits: RawHit[] = [];
  const outer = member(reply, 0, 'hits');
  const list = outer === undefined ? undefined : member(reply, outer.start, 'hits');
  if (list === undefined) return hits;
  for (let at = skipSpace(reply, list.start + 1); reply[at] === 0x7b; ) {
    const end = valueEnd(reply, at);
    const source = member(reply, at, '_source');
    hits.push({
      index: textMember(reply, at, '_index'),
      id: textMember(reply, at, '_id'),
      source: source === undefined ? Buffer.from('{}') : onOneLine(reply.subarray(source.start, source.end)),
    });
    at = skipSpace(reply, end);
    if (reply[at] === COMMA) at = skipSpace(reply, at + 1);
  }
  return hits;
}

/** A stored document may be pretty-printed; outside strings a line end is only space, inside them there is none. */
export function onOneLine(source: Buffer): Buffer {
  if (!source.includes(10) && !source.includes(13)) return source;
  const copy = Buffer.from(source);
  for (let i = 0; i < copy.length; i++) if (copy[i] === 10 || copy[i] === 13) copy[i] = 32;
  return copy;
}

function textMember(json: Buffer, object: number, key: string): string {
  const found = member(json, object, key);
  return found === undefined ? '' : String(JSON.parse(json.toString('utf8', found.start, found.end)));
}

/** Where the value of a key lies in the object that starts at `object`. O(length of the object). */
export function member(
  json: Buffer,
  object: number,
  key: string,
): { start: number; end: number } | undefined {
  const wanted = Buffer.from(JSON.stringify(key));
  let at = skipSpace(json, skipSpace(json, object) + 1);
  while (json[at] === QUOTE) {
    const keyEnd = valueEnd(json, at);
    const colon = skipSpace(json, keyEnd);
    if (json[colon] !== COLON) return undefined;
    const start = skipSpace(json, colon + 1);
    const end = valueEnd(json, start);
    if (json.subarray(at, keyEnd).equals(wanted)) return { start, end };
    at = skipSpace(json, end);
    if (json[at] !== COMMA) return undefined;
    at = skipSpace(json, at + 1);
  }
  return undefined;
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

/** The closing quote of the string that opens at `from`. */
function stringEnd(json: Buffer, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  return json.length;
}
