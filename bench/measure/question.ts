// The types of the benchmark: a question is a file that times some cases on every peer and states claims
// about the figures. Before a question times anything, it compares the answers with the truth; a wrong answer
// ends the run.

import type { Truth } from '../corpus/truth.ts';
import type { Load } from '../load/load.ts';

/** The measured servers. `bare` is a server of fixed bytes on node:http alone. */
export type PeerName = 'octavo' | 'opensearch' | 'sqlite' | 'postgresql' | 'tantivy' | 'bare';

/** A server under test. */
export interface Target {
  readonly name: PeerName;
  readonly url: string;
  readonly pid: number;
  /** The data directory. */
  readonly data: string;
}

/** An Octavo server that can be restarted on its data. */
interface Restartable extends Target {
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>;
}

/** Measurements of the load. */
export interface Loaded {
  readonly bytesWritten: number | undefined;
  readonly residentBytes: number | undefined;
  readonly peakBytes: number | undefined;
  readonly segments: number;
}

export interface Setting {
  readonly octavo: Restartable;
  /** Servers of the search wire: Octavo, then OpenSearch if present. They hold the corpus in the index INDEX. */
  readonly servers: readonly Target[];
  /** SQLite and PostgreSQL tables behind a small handwritten server. Pages only. */
  readonly tables: readonly Target[];
  readonly loaded: Readonly<Partial<Record<PeerName, Loaded>>>;
  readonly truth: Truth;
  /** The corpus as bulk bodies. */
  readonly file: string;
  /** A folder for other files. */
  readonly folder: string;
  readonly load: Load;
  /** A second load process, for background load. */
  readonly backgroundLoad: Load;
  /** The most requests, and the longest time, of one case on one target. */
  readonly maxRequests: number;
  readonly maxMs: number;
  /** True in smoke tests, which only check that the questions work. */
  readonly smoke: boolean;
  say(line: string): void;
}

export type Unit =
  | 'µs'
  | 'ms'
  | 'docs/s'
  | 'bytes/doc'
  | 'bytes'
  | '× JSON'
  | '× Tantivy'
  | 'documents'
  | 'contexts'
  | 'segments'
  | 'transfers'
  | 'minor units';

/** The figures of one peer in one case. */
export interface Figure {
  readonly median: number;
  readonly p99?: number;
  /** µs of server CPU per request (per document, for rates). */
  readonly cpu?: number | undefined;
  /** Median µs of the calibration kernel at that time. */
  readonly calibration?: number;
  /** For cases that run in turns: the paired ratio (paired-ratio.ts) to each other case, by its name. */
  readonly beside?: Readonly<Record<string, number>>;
}

/** One case. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly figures: Partial<Record<PeerName, Figure>>;
}

/** A measured number with its target: a line of the targets in docs/benchmarks.md. */
export interface Claim {
  /** The kind of work, as in the table of targets. */
  readonly work: string;
  readonly says: string;
  /** Undefined if a peer was absent. */
  readonly measured: number | undefined;
  /** The same by CPU of the servers instead of the clock. */
  readonly byCpu?: number | undefined;
  readonly unit: '×' | 'µs' | 'ms' | 'bytes' | 'documents' | 'transfers' | 'minor units';
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Question {
  readonly name: string;
  readonly asks: string;
  /** True if the question asks tables too. Tables are filled only for such questions. */
  readonly asksTables?: true;
  run(setting: Setting): Promise<Row[]>;
  claims?(rows: readonly Row[]): Claim[];
}

/** The index that holds the corpus. */
export const INDEX = 'bench';

/** Sends one request and returns the parsed reply. Throws for an error reply. */
export async function ask<T>(target: Target, method: string, path: string, body?: object): Promise<T> {
  const send = (): Promise<Response> =>
    fetch(target.url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  // Sorting the truth takes long enough for a server to close an idle connection: retry once.
  const reply = await send().catch(send);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${target.name}: ${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

export interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly sort?: unknown[];
}

export interface SearchReply {
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly Hit[] };
}

export function search(target: Target, body: object, index: string = INDEX): Promise<SearchReply> {
  return ask<SearchReply>(target, 'POST', `/${index}/_search`, body);
}

/** Ends the run if a document does not have these fields. */
export async function expectSource(target: Target, index: string, id: string, fields: object): Promise<void> {
  const path = `/${index}/_doc/${encodeURIComponent(id)}`;
  const { _source } = await ask<{ _source: Record<string, unknown> }>(target, 'GET', path);
  const told = Object.fromEntries(Object.keys(fields).map((name) => [name, _source[name]]));
  expectEqual(target, `source of ${index}/${id}`, told, fields);
}

/** Ends the run if the answer is wrong. */
export function expectEqual(target: Target, what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b)
    throw new Error(`${target.name}: ${what}: expected ${b?.slice(0, 200)}, got ${a?.slice(0, 200)}`);
}

/** The median figure of a row; undefined if the peer has none. */
export function medianOf(
  rows: readonly Row[],
  name: string,
  peer: PeerName,
  unit?: Unit,
): number | undefined {
  return rows.find((row) => row.name === name && (unit === undefined || row.unit === unit))?.figures[peer]
    ?.median;
}

/** ms of server CPU of a case. */
export function cpuMsOf(rows: readonly Row[], name: string, peer: PeerName): number | undefined {
  const cpu = rows.find((row) => row.name === name)?.figures[peer]?.cpu;
  return cpu === undefined ? undefined : cpu / 1000;
}

/** a / b; undefined if one is missing. */
export function ratioOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}
