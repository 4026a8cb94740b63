// How does a small patch change a document without reading all of it into a tree? Patches whose values are no objects
// and no arrays, as most are, replace or append members of the source where they stand; every other byte stays as it was.

import { numberValue } from '../json/parse.ts';
import { closingQuote } from '../json/plain.ts';
import { ARRAY_START, END, KEY, NUMBER, OBJECT_START, Scanner, STRING } from '../json/scanner.ts';

const QUOTE = 34;
/** Patches of more members are read as trees. */
const MOST = 16;

interface Member {
  readonly key: string;
  readonly token: number;
  readonly escaped: boolean;
  readonly value: number | bigint | undefined;
  /** Of the key with its quotes, and of the value. */
  readonly keyStart: number;
  readonly start: number;
  readonly stop: number;
  found: boolean;
}

/** Bytes [from, to) of the source become a member's value. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly member: Member;
}

const patchScanner = new Scanner();
const sourceScanner = new Scanner();

/**
 * The source with the members of the patch; undefined when they change nothing, 'unfit' when trees have to tell. Throws
 * json_parse_exception for the patch. O(bytes). REQUIRES: the source is a JSON object, checked when it was taken.
 */
export function spliceSource(source: Uint8Array, patch: Uint8Array): Uint8Array | undefined | 'unfit' {
  const members = readPatch(patch);
  if (members === undefined) return 'unfit';
  const scanner = sourceScanner;
  scanner.reset(source, 0, source.length);
  if (scanner.next() !== OBJECT_START) return 'unfit';
  const edits: Edit[] = [];
  let isEmpty = true;
  let token = scanner.next();
  for (; token === KEY; token = scanner.next()) {
    isEmpty = false;
    const key = scanner.keys.text(scanner.key);
    const member = members.find((one) => one.key === key);
    if (member === undefined) {
      pass(scanner);
      continue;
    }
    scanner.next();
    member.found = true;
    const same = compare(member, patch);
    if (same === undefined) return 'unfit';
    const from = scanner.token === STRING ? scanner.start - 1 : scanner.start;
    scanner.skip();
    if (!same) edits.push({ from, to: scanner.position, member });
  }
  const end = scanner.start;
  if (scanner.next() !== END) return 'unfit';
  const added = members.filter(({ found }) => !found);
  if (edits.length === 0 && added.length === 0) return undefined;
  return put(source, patch, edits, added, end, isEmpty);
}

/** Passes the value of the key just read: it was checked when it came, and of a string not each byte is looked at again. */
function pass(scanner: Scanner): void {
  const { bytes, position } = scanner;
  const stop = bytes[position] === QUOTE ? closingQuote(bytes, position + 1) : -1;
  if (stop >= 0) scanner.passTo(stop + 1);
  else {
    scanner.next();
    scanner.skip();
  }
}

/** The members of a patch; undefined where one is an object or an array, or they are many. */
function readPatch(patch: Uint8Array): Member[] | undefined {
  const scanner = patchScanner;
  scanner.reset(patch, 0, patch.length);
  if (scanner.next() !== OBJECT_START) return undefined;
  const members: Member[] = [];
  while (scanner.next() === KEY) {
    if (members.length === MOST) return undefined;
    const key = scanner.keys.text(scanner.key);
    const keyStart = scanner.start - 1;
    const token = scanner.next();
    if (token === OBJECT_START || token === ARRAY_START) return undefined;
    const quote = token === STRING ? 1 : 0;
    members.push({
      key,
      token,
      escaped: token === STRING && scanner.escaped,
      // Also to refuse what no double holds.
      value: token === NUMBER ? numberValue(scanner) : undefined,
      keyStart,
      start: scanner.start - quote,
      stop: scanner.stop + quote,
      found: false,
    });
  }
  return scanner.next() === END ? members : undefined;
}

/** Is the value at the source's scanner that of the member? Undefined where their bytes do not tell. */
function compare(member: Member, patch: Uint8Array): boolean | undefined {
  const scanner = sourceScanner;
  if (scanner.token !== member.token) return false;
  if (member.token === NUMBER) return numberValue(scanner) === member.value;
  if (member.token !== STRING) return true;
  const length = scanner.stop - scanner.start;
  let same = length === member.stop - member.start - 2;
  for (let i = 0; same && i < length; i++)
    same = scanner.bytes[scanner.start + i] === patch[member.start + 1 + i];
  return same || !(member.escaped || scanner.escaped) ? same : undefined;
}

function put(
  source: Uint8Array,
  patch: Uint8Array,
  edits: readonly Edit[],
  added: readonly Member[],
  end: number,
  isEmpty: boolean,
): Uint8Array {
  let length = source.length;
  for (const { from, to, member } of edits) length += member.stop - member.start - (to - from);
  for (const { keyStart, stop } of added) length += 1 + stop - keyStart;
  // All of it is written below; a new array would cost more than the rest.
  const out = Buffer.allocUnsafe(isEmpty ? length - 1 : length);
  let at = 0;
  const copy = (bytes: Uint8Array, from: number, to: number): void => {
    out.set(bytes.subarray(from, to), at);
    at += to - from;
  };
  let done = 0;
  for (const { from, to, member } of edits) {
    copy(source, done, from);
    copy(patch, member.start, member.stop);
    done = to;
  }
  copy(source, done, end);
  for (const [i, { keyStart, stop }] of added.entries()) {
    if (i > 0 || !isEmpty) out[at++] = 44;
    copy(patch, keyStart, stop);
  }
  copy(source, end, source.length);
  return out;
}
