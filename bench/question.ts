// What is a question of the benchmark? A file that asks it, a few cases, and for each case what each server took. Before
// anything is timed the answers are compared with the truth; a wrong answer ends the run.

import type { Load, Measured, RepeatJob, Request } from './load.ts';
import type { Truth } from './truth.ts';

/** A server under test. */
export interface Target {
  readonly name: 'octavo' | 'opensearch';
  readonly url: string;
  readonly pid: number;
  readonly data: string;
}

export interface Setting {
  readonly targets: readonly Target[];
  readonly truth: Truth;
  /** The corpus as bulk bodies. */
  readonly file: string;
  readonly load: Load;
  /** Most requests, and most time, of one case on one target. */
  readonly most: number;
  readonly mostMs: number;
  say(line: string): void;
}

/** One case: a figure per target, with the 99th percentile where it is a time. */
export interface Row {
  readonly name: string;
  readonly unit: 'µs' | 'docs/s' | 'bytes/doc' | '× JSON';
  readonly figures: Partial<Record<Target['name'], { readonly median: number; readonly p99?: number }>>;
}

export interface Question {
  readonly name: string;
  readonly asks: string;
  run(setting: Setting): Promise<Row[]>;
}

/** The index that holds the corpus. */
export const INDEX = 'bench';

/** One exchange, parsed. Throws where it is an error. */
export async function ask<T>(target: Target, method: string, path: string, body?: object): Promise<T> {
  const reply = await fetch(target.url + path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${target.name}: ${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

export interface SearchReply {
  readonly hits: {
    readonly total?: { readonly value: number };
    readonly hits: readonly {
      readonly _id: string;
      readonly _score: number | null;
      readonly sort?: unknown[];
    }[];
  };
}

export function search(target: Target, body: object): Promise<SearchReply> {
  return ask<SearchReply>(target, 'POST', `/${INDEX}/_search`, body);
}

export function searchRequest(body: object): Request {
  return { method: 'POST', path: `/${INDEX}/_search`, body: JSON.stringify(body) };
}

/** Ends the run where an answer is not the right one. */
export function expectEqual(target: Target, what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b)
    throw new Error(`${target.name}: ${what}: expected ${b?.slice(0, 200)}, got ${a?.slice(0, 200)}`);
}

const ROUNDS = 4;

/** Times the same requests on every target, in turns so that a noisy moment meets all of them. */
export async function timeAll(
  setting: Setting,
  name: string,
  requestsFor: (target: Target) => readonly Request[] | undefined,
  connections = 1,
): Promise<Row> {
  const micros = new Map<Target, number[]>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const target of setting.targets) {
      const requests = requestsFor(target);
      if (requests === undefined) continue;
      // The first round only warms up.
      const share = round === 0 ? Math.ceil(setting.most / 4) : Math.ceil(setting.most / ROUNDS);
      const job: RepeatJob = {
        kind: 'repeat',
        url: target.url,
        requests,
        connections,
        most: share,
        mostMs: setting.mostMs / ROUNDS,
      };
      const measured = await setting.load.run(job);
      refuseErrors(target, name, measured);
      if (round > 0) micros.set(target, [...(micros.get(target) ?? []), ...measured.micros]);
    }
  }
  const figures: { [name in Target['name']]?: { median: number; p99: number } } = {};
  for (const [target, times] of micros)
    figures[target.name] = { median: quantile(times, 0.5), p99: quantile(times, 0.99) };
  return { name, unit: 'µs', figures };
}

export function refuseErrors(target: Target, name: string, measured: Measured): void {
  if (measured.error !== undefined) throw new Error(`${target.name}: ${name}: ${measured.error}`);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}
