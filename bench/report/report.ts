// What is kept of a run? Everything: the machine, the peers and why one is absent, what was seen while loading, all rows and
// all claims. This is the JSON file; the tables and the plot are made from it alone.

import type { Claim, Loaded, PeerName, Row } from '../question.ts';

export interface Report {
  /** ISO 8601. */
  readonly at: string;
  readonly command: string;
  readonly docs: number;
  readonly live: number;
  readonly jsonBytes: number;
  readonly machine: {
    readonly cpus: number;
    readonly model: string | undefined;
    readonly memory: number;
    readonly node: string;
    /** µs of the calibration kernel at the quietest moment of the run. */
    readonly calibration: number;
  };
  /** Who was measured; for who was not, why. */
  readonly peers: Partial<Record<PeerName, { readonly there: boolean; readonly why?: string }>>;
  readonly loaded: Partial<Record<PeerName, Loaded>>;
  readonly questions: Record<string, Answered>;
}

export interface Answered {
  readonly asks: string;
  readonly rows: readonly Row[];
  readonly claims: readonly Claim[];
  /** Why there is no answer: a wrong one, or an error. */
  readonly failure?: string;
}

/** Undefined where it was not measured. */
export function isMet({ measured, atMost, atLeast }: Claim): boolean | undefined {
  if (measured === undefined || Number.isNaN(measured)) return undefined;
  return (atMost === undefined || measured <= atMost) && (atLeast === undefined || measured >= atLeast);
}

/** How many times better than the target: above 1 it is met. */
export function margin({ measured, atMost, atLeast }: Claim): number | undefined {
  if (measured === undefined || Number.isNaN(measured)) return undefined;
  if (atMost !== undefined)
    return atMost === 0 ? (measured === 0 ? 1 : 0) : atMost / Math.max(measured, 1e-9);
  return atLeast === undefined ? undefined : measured / atLeast;
}

export function targetText({ atMost, atLeast, unit }: Claim): string {
  return atMost === undefined ? `≥ ${quantity(atLeast ?? 0, unit)}` : `≤ ${quantity(atMost, unit)}`;
}

/** The same without its unit. */
export function boundText({ atMost, atLeast }: Claim): string {
  return atMost === undefined ? `≥ ${amount(atLeast ?? 0)}` : `≤ ${amount(atMost)}`;
}

/** In which order the kinds of work are told; others follow. */
const WORKS = [
  'page of 20 hits over HTTP',
  'any page, any depth, filtered or not',
  'first use of a new sort or filter',
  'BM25 top-10 in process',
  'BM25 top-10 over HTTP',
  'deep page in _score order',
  'bulk ingest, durable and searchable when acknowledged',
  'bytes written / JSON',
  'export by scroll or tokens',
  'reads under ingest',
  'open snapshots',
  'ledger',
  'memory, all included',
  'start to the first correct answer',
];

/** All claims with the question that makes them, those of one work together. */
export function claimsByWork(questions: Report['questions']): { name: string; claim: Claim }[] {
  const all = Object.entries(questions).flatMap(([name, { claims }]) =>
    claims.map((claim) => ({ name, claim })),
  );
  const works = new Set([...WORKS, ...all.map(({ claim }) => claim.work)]);
  return [...works].flatMap((work) => all.filter(({ claim }) => claim.work === work));
}

export function measuredText({ measured, unit }: Claim): string {
  return measured === undefined || Number.isNaN(measured) ? 'not measured' : quantity(measured, unit);
}

/** The same by CPU, where that was looked at. */
export function cpuText({ byCpu, unit }: Claim): string {
  return byCpu === undefined || Number.isNaN(byCpu) ? '' : quantity(byCpu, unit);
}

function quantity(value: number, unit: Claim['unit']): string {
  return unit === '×' ? `${amount(value)} ×` : `${amount(value)} ${unit}`;
}

/** Three digits, or whole with thousands. */
export function amount(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
