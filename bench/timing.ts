// How is one case timed? The same requests on every target, in turns, so that a noisy moment meets all of them; a turn begins when
// all are at rest, and the first one only warms up. Beside the times: CPU of the server, and the calibration kernel.

import { timesBeside } from './beside.ts';
import type { Job, Measured, Request } from './load.ts';
import { AFTER_READS, comeToRest, cpuBetween, cpuTimes, withChildren } from './machine.ts';
import { quantile } from './quantile.ts';
import type { Figure, Row, Setting, Target } from './question.ts';

/** A server that does not come to rest is not waited for any longer. */
export const REST_MS = 20_000;

/** Turns, after one to warm up. */
export function roundsOf({ smoke }: Setting, rounds: number): number {
  return smoke ? 1 : rounds;
}

/** Turns of writes that only warm up: both servers still compile in the third, hardly in the fourth. */
export function warmingOf({ smoke }: Setting): number {
  return smoke ? 1 : 3;
}

/** Turns of reads: a noisy moment is as long as several short ones. */
const TURNS = 12;

/** Turns of `timeAll`, after one to warm up. */
export function turnsOf(setting: Setting): number {
  return roundsOf(setting, TURNS);
}

/**
 * Cases that are compared are asked so many times by turns in each: a machine that others use, too, is for a tenth of a second twice
 * as fast as in the next one.
 */
const PIECES = 6;
/** The turn that warms up has this part of the time. */
const WARMING = 4;

export interface TimedCase {
  readonly name: string;
  /**
   * What is asked in the next turn, `count` requests, over again where there are fewer; the first turn may have any number. Called once
   * for each turn. Undefined: this target is not asked.
   */
  requests(target: Target, count: number): readonly Request[] | undefined;
}

/** Times one case, or several that are asked by turns because they will be compared with each other. */
export async function timeAll(
  setting: Setting,
  cases: readonly TimedCase[],
  { targets = setting.servers, connections = 1 }: { targets?: readonly Target[]; connections?: number } = {},
): Promise<Row[]> {
  const rounds = turnsOf(setting);
  const share = Math.ceil(setting.most / rounds);
  const pids = targets.map(({ pid }) => pid);
  const sums = cases.map(() => new Map<Target, Sum>());
  for (let round = 0; round <= rounds; round++) {
    for (const target of targets) {
      if (!setting.smoke) await comeToRest(pids, REST_MS, AFTER_READS);
      // Code that is not compiled yet takes several times as long, here and there: the first turn has all of its time.
      const isWarming = round === 0;
      const lists = cases.map((one) => one.requests(target, share));
      const pieces = isWarming || setting.smoke || cases.length === 1 ? 1 : PIECES;
      const size = Math.ceil(share / pieces);
      for (let at = 0; at < share; at += size) {
        for (let k = 0; k < cases.length; k++) {
          // The first case behind another server finds a machine that is awake: each is the first as often as the others.
          const c = (k + round + at / size) % cases.length;
          const list = lists[c];
          if (list === undefined) continue;
          if (list.length === 0) throw new Error(`${cases[c]!.name}: nothing is left to ask for`);
          const warming = setting.smoke ? Math.max(list.length, share) : Number.MAX_SAFE_INTEGER;
          const job = {
            kind: 'repeat',
            url: target.url,
            requests: startingAt(list, at),
            connections,
            most: isWarming ? warming : Math.min(size, share - at),
            mostMs: setting.mostMs / (isWarming ? WARMING : rounds * pieces),
          } as const;
          const sum = await measure(setting, target, cases[c]!.name, job);
          if (!isWarming) sums[c]!.set(target, add(sums[c]!.get(target), sum));
        }
      }
    }
  }
  return cases.map(({ name }, c) => ({
    name,
    unit: 'µs',
    figures: Object.fromEntries(
      [...sums[c]!].map(([target, sum]) => {
        const first = c === 0 ? undefined : sums[0]!.get(target);
        const beside = first && { beside: { [cases[0]!.name]: timesBeside(sum.medians, first.medians) } };
        return [target.name, { ...figureOf(sum), ...beside }];
      }),
    ),
  }));
}

/** The same requests from another one on: each piece goes on where the last one ended. */
function startingAt(requests: readonly Request[], at: number): readonly Request[] {
  const start = at % requests.length;
  return start === 0 ? requests : [...requests.slice(start), ...requests.slice(0, start)];
}

/** What a server does behind its last answer (seals, merges, refreshes) is not to be in the times of another. */
export async function allAtRest({ servers, smoke }: Setting): Promise<void> {
  const pids = servers.map(({ pid }) => pid);
  if (!smoke) await comeToRest(pids, REST_MS);
}

/** What some jobs took together. */
export interface Sum {
  readonly micros: readonly number[];
  /** The median of each job's. */
  readonly medians: readonly number[];
  readonly calibration: readonly number[];
  readonly cpu: number | undefined;
  readonly elapsedMs: number;
  readonly measured: Measured;
}

/** Runs a job and looks at the server's CPU before and after. Errors end the run. */
export async function measure(setting: Setting, target: Target, what: string, job: Job): Promise<Sum> {
  const pids = withChildren(target.pid);
  const before = cpuTimes(pids);
  const measured = await setting.load.run(job);
  const cpu = cpuBetween(before, cpuTimes(pids));
  if (measured.error !== undefined) throw new Error(`${target.name}: ${what}: ${measured.error}`);
  const { micros, calibration, elapsedMs } = measured;
  return { micros, medians: [quantile(micros, 0.5)], calibration, cpu, elapsedMs, measured };
}

export function add(a: Sum | undefined, b: Sum): Sum {
  if (a === undefined) return b;
  return {
    micros: [...a.micros, ...b.micros],
    medians: [...a.medians, ...b.medians],
    calibration: [...a.calibration, ...b.calibration],
    cpu: a.cpu === undefined || b.cpu === undefined ? undefined : a.cpu + b.cpu,
    elapsedMs: a.elapsedMs + b.elapsedMs,
    measured: b.measured,
  };
}

/** Times per request. */
export function figureOf({ micros, calibration, cpu }: Sum): Figure {
  return {
    median: quantile(micros, 0.5),
    p99: quantile(micros, 0.99),
    cpu: cpu === undefined ? undefined : cpu / micros.length,
    calibration: quantile(calibration, 0.5),
  };
}

/** Documents a second, by the median of rounds. */
export function rateOf(rounds: readonly Sum[], docs: (sum: Sum) => number): Figure {
  const all = rounds.reduce((n, sum) => n + docs(sum), 0);
  const cpu = rounds.reduce<number | undefined>(
    (n, sum) => (n === undefined || sum.cpu === undefined ? undefined : n + sum.cpu),
    0,
  );
  return {
    median: quantile(
      rounds.map((sum) => docs(sum) / (sum.elapsedMs / 1000)),
      0.5,
    ),
    cpu: cpu === undefined ? undefined : cpu / all,
    calibration: quantile(
      rounds.flatMap(({ calibration }) => calibration),
      0.5,
    ),
  };
}

/** Milliseconds of one request, timed by the process that sends the load: this one may have a million documents to collect. */
export async function timeOnce({ load }: Setting, target: Target, request: Request): Promise<number> {
  const { micros, error } = await load.run({
    kind: 'repeat',
    url: target.url,
    requests: [request],
    connections: 1,
    most: 1,
    mostMs: 60_000,
  });
  if (error !== undefined) throw new Error(`${target.name}: ${error}`);
  return (micros[0] ?? Number.NaN) / 1000;
}
