// Times cases: the same requests on every target in turns, so that noise affects all of them. A turn starts
// when all servers are idle, and the first one only warms up. Records the server's CPU and the calibration
// kernel with the times.

import type { Job, JobResult, Request } from '../load/load.ts';
import { cpuBetween, cpuTimes, IDLE_AFTER_READS, processTree, waitUntilIdle } from '../machine/processes.ts';
import { pairedRatio } from './paired-ratio.ts';
import { quantile } from './quantile.ts';
import type { Figure, Row, Setting, Target } from './question.ts';

/** The longest wait for a server to become idle, in ms. */
export const IDLE_TIMEOUT_MS = 20_000;

/** Turns after the warm-up. */
export function roundsOf({ smoke }: Setting, rounds: number): number {
  return smoke ? 1 : rounds;
}

/** Warm-up turns of writes: both servers still compile in the third turn, hardly in the fourth. */
export function warmUpRounds({ smoke }: Setting): number {
  return smoke ? 1 : 3;
}

/** Turns of reads. */
const TURNS = 12;

/** Turns of `timeAll` after the warm-up. */
export function turnsOf(setting: Setting): number {
  return roundsOf(setting, TURNS);
}

/**
 * Compared cases alternate this many times within a turn. A shared machine can be twice as fast in one tenth of a second
 * as in the next.
 */
const PIECES = 6;
/** The warm-up turn gets this part of the time. */
const WARMING = 4;

interface TimedCase {
  readonly name: string;
  /**
   * The `count` requests of the next turn, repeated if there are fewer. The first turn may have any number. Called once per
   * turn. Undefined: the target is skipped.
   */
  requests(target: Target, count: number): readonly Request[] | undefined;
}

/** Times one case, or several cases in turns so that they can be compared. */
export async function timeAll(
  setting: Setting,
  cases: readonly TimedCase[],
  { targets = setting.servers, connections = 1 }: { targets?: readonly Target[]; connections?: number } = {},
): Promise<Row[]> {
  const rounds = turnsOf(setting);
  const share = Math.ceil(setting.maxRequests / rounds);
  const pids = targets.map(({ pid }) => pid);
  const sums = cases.map(() => new Map<Target, JobSum>());
  for (let round = 0; round <= rounds; round++) {
    for (const target of targets) {
      if (!setting.smoke) await waitUntilIdle(pids, IDLE_TIMEOUT_MS, IDLE_AFTER_READS);
      // Uncompiled code is several times slower, so the warm-up turn gets its full time.
      const isWarming = round === 0;
      const lists = cases.map((one) => one.requests(target, share));
      const pieces = isWarming || setting.smoke || cases.length === 1 ? 1 : PIECES;
      const size = Math.ceil(share / pieces);
      for (let at = 0; at < share; at += size) {
        for (let k = 0; k < cases.length; k++) {
          // The order rotates: the first case after another server finds a warmer machine.
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
            mostMs: setting.maxMs / (isWarming ? WARMING : rounds * pieces),
          } as const;
          const sum = await measure(setting, target, cases[c]!.name, job);
          if (!isWarming) sums[c]!.set(target, addSums(sums[c]!.get(target), sum));
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
        const beside = first && { beside: { [cases[0]!.name]: pairedRatio(sum.medians, first.medians) } };
        return [target.name, { ...figureOf(sum), ...beside }];
      }),
    ),
  }));
}

/** The requests, rotated so that each piece continues where the last one ended. */
function startingAt(requests: readonly Request[], at: number): readonly Request[] {
  const start = at % requests.length;
  return start === 0 ? requests : [...requests.slice(start), ...requests.slice(0, start)];
}

/** Waits until the deferred work of all servers (seals, merges, refreshes) is done. */
export async function waitUntilAllIdle({ servers, smoke }: Setting): Promise<void> {
  const pids = servers.map(({ pid }) => pid);
  if (!smoke) await waitUntilIdle(pids, IDLE_TIMEOUT_MS);
}

/** The combined result of several jobs. */
export interface JobSum {
  readonly micros: readonly number[];
  /** The median of the jobs' calibrations. */
  readonly medians: readonly number[];
  readonly calibration: readonly number[];
  readonly cpu: number | undefined;
  readonly elapsedMs: number;
  readonly measured: JobResult;
}

/** Runs a job and reads the server's CPU before and after. Errors end the run. */
export async function measure(setting: Setting, target: Target, what: string, job: Job): Promise<JobSum> {
  const pids = processTree(target.pid);
  const before = cpuTimes(pids);
  const measured = await setting.load.run(job);
  const cpu = cpuBetween(before, cpuTimes(pids));
  if (measured.error !== undefined) throw new Error(`${target.name}: ${what}: ${measured.error}`);
  const { micros, calibration, elapsedMs } = measured;
  return { micros, medians: [quantile(micros, 0.5)], calibration, cpu, elapsedMs, measured };
}

export function addSums(a: JobSum | undefined, b: JobSum): JobSum {
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

/** The figure of times per request. */
export function figureOf({ micros, calibration, cpu }: JobSum): Figure {
  return {
    median: quantile(micros, 0.5),
    p99: quantile(micros, 0.99),
    cpu: cpu === undefined ? undefined : cpu / micros.length,
    calibration: quantile(calibration, 0.5),
  };
}

/** Documents per second, as the median of rounds. */
export function rateOf(rounds: readonly JobSum[], docs: (sum: JobSum) => number): Figure {
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

/** Milliseconds of one request, timed by the load process: this process may be collecting garbage. */
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
