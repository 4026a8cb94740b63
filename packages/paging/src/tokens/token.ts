// How does a position leave the process and come back? As a token: one line of text that says where to go on, in which
// list, and for whom. Two forms of the same payload:
//
//   v0.<payload>            open: anybody can build and read it (a function of the last hit's sort values)
//   v1.<key id>.<sealed>    sealed: made by a server, readable only with its key
//
//   payload   version 1, mode, flags, tuple, [id], [index], [snapshot], parts of the fingerprint, [principal], [expiry]

import { CursorError } from '../errors.ts';
import { readTuple, type Tuple, type TupleValue, writeTuple } from '../tuple.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { changedParts, type Fingerprint } from './fingerprint.ts';
import type { OpenedPayload, Sealed, Sealer, SealerAtOnce } from './sealer.ts';

/** Longest token that is made or read where nothing else is said, in characters. */
export const MAX_TOKEN_LENGTH = 2_048;

/** What kind of list the token walks. */
export type TokenMode = 'sort' | 'score' | 'feed';

const MODES: readonly TokenMode[] = ['sort', 'score', 'feed'];
const PAYLOAD_VERSION = 1;

const BACKWARDS = 1;
const HAS_ID = 2;
const HAS_INDEX = 4;
const HAS_SNAPSHOT = 8;
const HAS_PRINCIPAL = 16;
const HAS_EXPIRY = 32;

/** Where to go on. */
export interface Position {
  readonly mode: TokenMode;
  /** Sort values of the item next to the page. */
  readonly tuple: Tuple;
  /** Breaks ties. */
  readonly id?: string;
  /** The collection of that id, where a list spans several. */
  readonly index?: string;
  readonly backwards: boolean;
  /** The snapshot the walk is based on. */
  readonly snapshot?: number;
  readonly fingerprint: Fingerprint;
  /** Who may use it. */
  readonly principal?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** What a reader of tokens expects of them. */
export interface Expectation {
  readonly fingerprint: Fingerprint;
  readonly principal?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** False refuses tokens in the open form. @default true */
  readonly allowOpen?: boolean;
  /** Characters of a token; longer ones are refused unread. @default 2,048 */
  readonly maxLength?: number;
}

function encode(p: Position): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  out.byte(PAYLOAD_VERSION);
  out.byte(MODES.indexOf(p.mode));
  out.byte(
    (p.backwards ? BACKWARDS : 0) |
      (p.id === undefined ? 0 : HAS_ID) |
      (p.index === undefined ? 0 : HAS_INDEX) |
      (p.snapshot === undefined ? 0 : HAS_SNAPSHOT) |
      (p.principal === undefined ? 0 : HAS_PRINCIPAL) |
      (p.expiresAt === undefined ? 0 : HAS_EXPIRY),
  );
  writeTuple(out, p.tuple);
  if (p.id !== undefined) out.string(p.id);
  if (p.index !== undefined) out.string(p.index);
  if (p.snapshot !== undefined) out.unsigned(BigInt(p.snapshot));
  const parts = Object.entries(p.fingerprint).sort(([a], [b]) => (a < b ? -1 : 1));
  out.byte(parts.length);
  for (const [name, hash] of parts) {
    out.string(name);
    out.unsigned(BigInt(hash));
  }
  if (p.principal !== undefined) out.string(p.principal);
  if (p.expiresAt !== undefined) out.unsigned(BigInt(Math.floor(p.expiresAt)));
  return out.done();
}

function safe(x: bigint): number {
  const n = Number(x);
  if (!Number.isSafeInteger(n)) throw new RangeError('number out of range');
  return n;
}

function decode(bytes: Uint8Array): Position {
  const from = new ByteReader(bytes);
  if (from.byte() !== PAYLOAD_VERSION) throw new RangeError('unknown version');
  const mode = MODES[from.byte()];
  if (mode === undefined) throw new RangeError('unknown mode');
  const flags = from.byte();
  if (flags >= 64) throw new RangeError('unknown flags');
  const tuple: TupleValue[] = readTuple(from);
  const position: { -readonly [K in keyof Position]: Position[K] } = {
    mode,
    tuple,
    backwards: (flags & BACKWARDS) !== 0,
    fingerprint: {},
  };
  if (flags & HAS_ID) position.id = from.string();
  if (flags & HAS_INDEX) position.index = from.string();
  if (flags & HAS_SNAPSHOT) position.snapshot = safe(from.unsigned());
  const parts: [string, number][] = [];
  for (let n = from.byte(); n > 0; n--) parts.push([from.string(), safe(from.unsigned())]);
  position.fingerprint = Object.fromEntries(parts);
  if (flags & HAS_PRINCIPAL) position.principal = from.string();
  if (flags & HAS_EXPIRY) position.expiresAt = safe(from.unsigned());
  if (from.left > 0) throw new RangeError('too long');
  return position;
}

function bounded(token: string, maxLength: number = MAX_TOKEN_LENGTH): string {
  if (token.length <= maxLength) return token;
  throw new CursorError('cursor-invalid', 'The sort values of the last item are too long for a token.');
}

/** The open form of a position. Throws cursor-invalid where it would exceed 2 KiB. */
export function openToken(position: Position): string {
  return bounded(`v0.${toBase64Url(encode(position))}`);
}

/** The sealed form of a position. Throws cursor-invalid where it would exceed `maxLength` characters (2 KiB). */
export async function sealToken(position: Position, sealer: Sealer, maxLength?: number): Promise<string> {
  return sealedForm(await sealer.seal(encode(position)), maxLength);
}

/** The same at once. */
export function sealTokenAtOnce(position: Position, sealer: SealerAtOnce, maxLength?: number): string {
  return sealedForm(sealer.seal(encode(position)), maxLength);
}

function sealedForm({ keyId, bytes }: Sealed, maxLength: number | undefined): string {
  return bounded(`v1.${keyId}.${toBase64Url(bytes)}`, maxLength);
}

/**
 * The token of the page behind a hit, built by the caller: a function of the hit's sort values (and its id, which
 * breaks ties) and of the list they belong to. Any store that has both can make it.
 */
export function nextTokenFrom(
  hit: { readonly sort: Tuple; readonly id?: string },
  list: { readonly fingerprint: Fingerprint; readonly mode?: TokenMode; readonly backwards?: boolean },
): string {
  return openToken({
    mode: list.mode ?? 'sort',
    tuple: hit.sort,
    ...(hit.id === undefined ? {} : { id: hit.id }),
    backwards: list.backwards ?? false,
    fingerprint: list.fingerprint,
  });
}

/** The payload of a token as far as it can be read without a key. */
type Parts =
  | { readonly open: Uint8Array }
  | { readonly keyId: string; readonly sealed: Uint8Array<ArrayBuffer> };

function partsOf(token: string, allowOpen: boolean, maxLength: number = MAX_TOKEN_LENGTH): Parts {
  if (token.length > maxLength) throw new CursorError('cursor-invalid');
  const [version, second, third, ...rest] = token.split('.');
  if (version === 'v0' && second !== undefined && third === undefined) {
    if (!allowOpen)
      throw new CursorError('cursor-invalid', 'Tokens that callers build are not accepted here.');
    const open = fromBase64Url(second);
    if (open !== undefined) return { open };
  }
  if (version === 'v1' && second !== undefined && third !== undefined && rest.length === 0) {
    const sealed = fromBase64Url(third);
    if (sealed !== undefined) return { keyId: second, sealed };
  }
  throw new CursorError('cursor-invalid');
}

function decoded(payload: OpenedPayload): Position {
  if (payload === undefined) throw new CursorError('cursor-invalid');
  try {
    return decode(payload);
  } catch {
    throw new CursorError('cursor-invalid');
  }
}

/** Reads a token without judging whether it may be used here. Throws cursor-invalid, never anything else. */
export async function readPosition(
  token: string,
  sealer?: Sealer,
  allowOpen = true,
  maxLength?: number,
): Promise<Position> {
  const parts = partsOf(token, allowOpen, maxLength);
  if ('open' in parts) return decoded(parts.open);
  let opened: OpenedPayload;
  try {
    opened = await sealer?.open(parts.keyId, parts.sealed);
  } catch {
    // A sealer of somebody else's that throws where it should say undefined.
  }
  return decoded(opened);
}

/** Refuses a position that has run out, is somebody else's, or belongs to another list. */
export function checkPosition(position: Position, expected: Expectation): void {
  if (position.principal !== undefined && position.principal !== expected.principal) {
    throw new CursorError('cursor-forbidden');
  }
  if (position.expiresAt !== undefined && position.expiresAt <= expected.now) {
    throw new CursorError('cursor-expired');
  }
  const changed = changedParts(position.fingerprint, expected.fingerprint);
  if (changed.length > 0) {
    throw new CursorError(
      'cursor-mismatch',
      `The token was made for another list: ${changed.join(' and ')} changed.`,
      changed,
    );
  }
}

/** Reads a token of either form and checks that it may be used here. Throws CursorError, never anything else. */
export async function readToken(token: string, expected: Expectation, sealer?: Sealer): Promise<Position> {
  const position = await readPosition(token, sealer, expected.allowOpen ?? true, expected.maxLength);
  checkPosition(position, expected);
  return position;
}

/** The same at once. */
export function readTokenAtOnce(token: string, expected: Expectation, sealer: SealerAtOnce): Position {
  const parts = partsOf(token, expected.allowOpen ?? true, expected.maxLength);
  const position = decoded('open' in parts ? parts.open : sealer.open(parts.keyId, parts.sealed));
  checkPosition(position, expected);
  return position;
}
