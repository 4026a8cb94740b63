// What is a question of the benchmark? A file that asks it, a few cases with what each peer took, and what the figures
// claim. Before anything is timed the answers are compared with the truth; a wrong answer ends the run.

import type { Load } from './load.ts';
import type { Truth } from './truth.ts';

/** Who is measured. `static` is a server of fixed bytes, by the framework that Octavo uses. */
export type PeerName = 'octavo' | 'opensearch' | 'sqlite' | 'postgresql' | 'tantivy' | 'static';

/** A server under test. */
export interface Target {
  readonly name: PeerName;
  readonly url: string;
  readonly pid: number;
  /** Its data directory. */
  readonly data: string;
}

/** A server of ours that can be started again on its data. */
export interface Restartable extends Target {
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>;
}

/** What was seen while the corpus went in. */
export interface Loaded {
  readonly bytesWritten: number | undefined;
  readonly residentBytes: number | undefined;
  readonly peakBytes: number | undefined;
  readonly segments: number;
}

export interface Setting {
  readonly octavo: Restartable;
  /** Speak the wire: Octavo first, OpenSearch where it is there. They hold the corpus in the index INDEX. */
  readonly servers: readonly Target[];
  /** Tables behind a server of a few lines, as one would write it by hand: SQLite, PostgreSQL. Pages only. */
  readonly tables: readonly Target[];
  readonly loaded: Readonly<Partial<Record<PeerName, Loaded>>>;
  readonly truth: Truth;
  /** The corpus as bulk bodies. */
  readonly file: string;
  /** A folder for other files. */
  readonly folder: string;
  readonly load: Load;
  /** A second one, for what goes on beside. */
  readonly beside: Load;
  /** Most requests, and most time, of one case on one target. */
  readonly most: number;
  readonly mostMs: number;
  /** True: only to see that the questions work. */
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

/** What one peer took. */
export interface Figure {
  readonly median: number;
  readonly p99?: number;
  /** µs of server CPU per request (per document, for rates). */
  readonly cpu?: number | undefined;
  /** µs of the calibration kernel at that time, median. */
  readonly calibration?: number;
  /** Of cases that are asked by turns: how many times that of another one it takes (beside.ts), by the name of that. */
  readonly beside?: Readonly<Record<string, number>>;
}

/** One case. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly figures: Partial<Record<PeerName, Figure>>;
}

/** A statement with a number: a line of the targets in docs/benchmarks.md. */
export interface Claim {
  /** Of which work, as the table of targets has it. */
  readonly work: string;
  readonly says: string;
  /** Undefined where a peer was absent. */
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
  /** Does it ask tables, too? They are filled only then. */
  readonly asksTables?: true;
  run(setting: Setting): Promise<Row[]>;
  claims?(rows: readonly Row[]): Claim[];
}

/** The index that holds the corpus. */
export const INDEX = 'bench';

/** One exchange, parsed. Throws where it is an error. */
export async function ask<T>(target: Target, method: string, path: string, body?: object): Promise<T> {
  const send = (): Promise<Response> =>
    fetch(target.url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  // While the truth is sorted here a server may close a connection that was idle: asked again, once.
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

/** Ends the run where a document does not have these fields as they are here. */
export async function expectSource(target: Target, index: string, id: string, fields: object): Promise<void> {
  const path = `/${index}/_doc/${encodeURIComponent(id)}`;
  const { _source } = await ask<{ _source: Record<string, unknown> }>(target, 'GET', path);
  const told = Object.fromEntries(Object.keys(fields).map((name) => [name, _source[name]]));
  expectEqual(target, `source of ${index}/${id}`, told, fields);
}

/** Ends the run where an answer is not the right one. */
export function expectEqual(target: Target, what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b)
    throw new Error(`${target.name}: ${what}: expected ${b?.slice(0, 200)}, got ${a?.slice(0, 200)}`);
}

/** The median figure of a row; undefined where the peer has none. */
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

/** a / b, where both are there. */
export function over(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}
