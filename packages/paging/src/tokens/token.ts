// Tokens: a position as one line of text that names the place, the list and the caller. Two forms carry the
// same payload:
//
//   v0.<payload>            open: anybody can build and read it from the last hit's sort values
//   v1.<key id>.<sealed>    sealed: made by a server, readable only with its key
//
//   payload   version 1, mode, flags, tuple, [id], [index], [snapshot], parts of the fingerprint, [principal], [expiry]

import { CursorError } from '../errors.ts';
import type { Tuple, TupleValue } from '../tuple.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { changedParts, type Fingerprint } from './fingerprint.ts';
import type { OpenedPayload, Sealed, Sealer, SyncSealer } from './sealer.ts';
import { readTuple, writeTuple } from './tuple-codec.ts';

/** The default limit for the length of a token, in characters. */
export const MAX_TOKEN_LENGTH = 2_048;

/** The kind of list that a token walks. */
export type TokenMode = 'sort' | 'score' | 'feed';

const MODES: readonly TokenMode[] = ['sort', 'score', 'feed'];
const PAYLOAD_VERSION = 1;

const BACKWARDS = 1;
const HAS_ID = 2;
const HAS_INDEX = 4;
const HAS_SNAPSHOT = 8;
const HAS_PRINCIPAL = 16;
const HAS_EXPIRY = 32;

/** The place where a walk continues. */
export interface Position {
  readonly mode: TokenMode;
  /** Sort values of the item next to the page. */
  readonly tuple: Tuple;
  /** Breaks ties. */
  readonly id?: string;
  /** The index of that id, if the list spans several. */
  readonly index?: string;
  readonly backwards: boolean;
  /** The snapshot that the walk reads. */
  readonly snapshot?: number;
  readonly fingerprint: Fingerprint;
  /** The only caller that may use the token. */
  readonly principal?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** The conditions that a token must meet to be read. */
export interface Expectation {
  readonly fingerprint: Fingerprint;
  readonly principal?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** False refuses tokens in the open form. @default true */
  readonly allowOpen?: boolean;
  /** The limit in characters; longer tokens are refused unread. @default 2,048 */
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

function safeInteger(x: bigint): number {
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
  if (flags & HAS_SNAPSHOT) position.snapshot = safeInteger(from.unsigned());
  const parts: [string, number][] = [];
  for (let n = from.byte(); n > 0; n--) parts.push([from.string(), safeInteger(from.unsigned())]);
  position.fingerprint = Object.fromEntries(parts);
  if (flags & HAS_PRINCIPAL) position.principal = from.string();
  if (flags & HAS_EXPIRY) position.expiresAt = safeInteger(from.unsigned());
  if (from.left > 0) throw new RangeError('too long');
  return position;
}

function checkLength(token: string, maxLength: number = MAX_TOKEN_LENGTH): string {
  if (token.length <= maxLength) return token;
  throw new CursorError('cursor-invalid', 'The sort values of the last item are too long for a token.');
}

/** The open form of a position. Throws cursor-invalid if it would exceed 2 KiB. */
export function openToken(position: Position): string {
  return checkLength(`v0.${toBase64Url(encode(position))}`);
}

/** The sealed form of a position. Throws cursor-invalid if it would exceed `maxLength` characters (default 2 KiB). */
export async function sealToken(position: Position, sealer: Sealer, maxLength?: number): Promise<string> {
  return formatSealed(await sealer.seal(encode(position)), maxLength);
}

/** `sealToken` without a promise. */
export function sealTokenSync(position: Position, sealer: SyncSealer, maxLength?: number): string {
  return formatSealed(sealer.seal(encode(position)), maxLength);
}

function formatSealed({ keyId, bytes }: Sealed, maxLength: number | undefined): string {
  return checkLength(`v1.${keyId}.${toBase64Url(bytes)}`, maxLength);
}

/**
 * The open token of the page behind a hit. It depends only on the hit's sort values, its id (which breaks ties) and the
 * fingerprint of the list, so any store can make it.
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

/** The parts of a token that can be read without a key. */
type TokenParts =
  | { readonly open: Uint8Array }
  | { readonly keyId: string; readonly sealed: Uint8Array<ArrayBuffer> };

function splitToken(token: string, allowOpen: boolean, maxLength: number = MAX_TOKEN_LENGTH): TokenParts {
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

function decodePayload(payload: OpenedPayload): Position {
  if (payload === undefined) throw new CursorError('cursor-invalid');
  try {
    return decode(payload);
  } catch {
    throw new CursorError('cursor-invalid');
  }
}

/** Reads a token without checking list, caller and expiry. Throws cursor-invalid and no other error. */
export async function readPosition(
  token: string,
  sealer?: Sealer,
  allowOpen = true,
  maxLength?: number,
): Promise<Position> {
  const parts = splitToken(token, allowOpen, maxLength);
  if ('open' in parts) return decodePayload(parts.open);
  let opened: OpenedPayload;
  try {
    opened = await sealer?.open(parts.keyId, parts.sealed);
  } catch {
    // A foreign sealer that throws instead of returning undefined.
  }
  return decodePayload(opened);
}

/** Throws CursorError for a position that has expired, or belongs to another caller or another list. */
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

/** Reads a token of either form and checks list, caller and expiry. Throws CursorError and no other error. */
export async function readToken(token: string, expected: Expectation, sealer?: Sealer): Promise<Position> {
  const position = await readPosition(token, sealer, expected.allowOpen ?? true, expected.maxLength);
  checkPosition(position, expected);
  return position;
}

/** `readToken` without a promise. */
export function readTokenSync(token: string, expected: Expectation, sealer: SyncSealer): Position {
  const parts = splitToken(token, expected.allowOpen ?? true, expected.maxLength);
  const position = decodePayload('open' in parts ? parts.open : sealer.open(parts.keyId, parts.sealed));
  checkPosition(position, expected);
  return position;
}
