// Masks what differs between runs, times and random values, by names. Everything else of an answer is
// compared byte by byte.

import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Answer, Request } from './request.ts';

/** Values and their names, such as `<scroll 1>`: the same value has the same name as long as these live. */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  nameOf(kind: string, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `<${kind} ${count}>`;
    this.#names.set(value, name);
    this.#values.set(name, value);
    return name;
  }

  /** The text with values in the place of names. */
  filled(text: string): string {
    return text.replaceAll(/<[a-z]+ \d+>/g, (name) => this.#values.get(name) ?? name);
  }
}

/** What is masked in bodies: what stands before a value, the value, and the kind of its name. */
const VALUES: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/("_?scroll_id"\s*:\s*")([^"]+)/g, 'scroll'],
  [/("pit_id"\s*:\s*")([^"]+)/g, 'pit'],
  [/("(?:next|prev)_token"\s*:\s*")([^"]+)/g, 'token'],
  [/("(?:index_|cluster_)?uuid"\s*:\s*")((?!_na_)[^"]+)/g, 'uuid'],
  [/("_?node"\s*:\s*")([\w-]{22})(?=")/g, 'node'],
  [/("_id"\s*:\s*")([\w-]{20})(?=")/g, 'id'],
];
/** Only where points in time are opened is `id` the name of one. */
const PIT_ID = /("id"\s*:\s*")([^"]+)/g;
const LOCATION_ID = /(\/_doc\/)([\w-]{20})$/;

/** Of the connection, of the moment, or of the run of the server (search-etags.test.ts has these). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
]);

/** Headers that most answers have: only what is different is written down. */
const USUAL: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=UTF-8',
  'x-opensearch-version': 'OpenSearch/3.1.0 (opensearch)',
};

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

/** From so many bytes on answers vary by encoding; there may be a few more of them, as times have more digits. */
const VARYING = 1_400;
const DIGITS = 4;

/** The answer as it is recorded. */
export function masked(request: Request, { status, headers, body }: Answer, names: Names): string {
  const encoding = headers.find(([name]) => name === 'content-encoding')?.[1];
  const bytes = encoding === undefined ? body : DECODERS[encoding]!(body);
  let text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) text = `not UTF-8: ${bytes.toString('base64')}`;
  text = text.replaceAll(/("took"\s*:\s*)\d+/g, '$10');
  // The number of a document in its segment, in an explanation.
  text = text.replaceAll(/( in )\d+(\) \[)/g, '$10$2');
  for (const [pattern, kind] of VALUES) text = renamed(text, pattern, kind, names);
  if (/\/_pit\b/.test(request.target)) text = renamed(text, PIT_ID, 'pit', names);
  const length = encoding === undefined ? bytes.length : 0;
  const isOnEdge = length >= VARYING - DIGITS && length < VARYING + DIGITS;
  assert.ok(
    !isOnEdge || !text.includes('"took"'),
    `an answer of ${length} bytes may vary or not: ${request.target}`,
  );
  return [String(status), ...shownHeaders(headers, names), ...(text === '' ? [] : ['', text])].join('\n');
}

function shownHeaders(headers: Answer['headers'], names: Names): string[] {
  const shown = headers
    .filter(([name, value]) => !OF_CONNECTION.has(name) && USUAL[name] !== value)
    .map(([name, value]) => `${name}: ${renamed(value, LOCATION_ID, 'id', names)}`);
  const missing = Object.keys(USUAL)
    .filter((name) => !headers.some(([each]) => each === name))
    .map((name) => `no ${name}`);
  return [...shown.sort(), ...missing];
}

function renamed(text: string, pattern: RegExp, kind: string, names: Names): string {
  return text.replace(pattern, (_, before: string, value: string) => before + names.nameOf(kind, value));
}
