// The report of a run as JSON: the machine, the peers and why one is absent, the load, all rows and all
// claims. Tables and plot are made only from it.

import type { Claim, Loaded, PeerName, Row } from '../measure/question.ts';

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
  /** The peers, and for absent ones the reason. */
  readonly peers: Partial<Record<PeerName, { readonly there: boolean; readonly why?: string }>>;
  readonly loaded: Partial<Record<PeerName, Loaded>>;
  readonly questions: Record<string, QuestionResult>;
}

/** The part of a run that the pages show. */
export type RunReport = Pick<Report, 'at' | 'command' | 'docs' | 'questions' | 'machine' | 'loaded'>;

export interface QuestionResult {
  readonly asks: string;
  readonly rows: readonly Row[];
  readonly claims: readonly Claim[];
  /** The reason for a missing answer: a wrong answer, or an error. */
  readonly failure?: string;
}

/** Undefined if the claim was not measured. */
export function isMet({ measured, atMost, atLeast }: Claim): boolean | undefined {
  if (measured === undefined || Number.isNaN(measured)) return undefined;
  return (atMost === undefined || measured <= atMost) && (atLeast === undefined || measured >= atLeast);
}

export function targetText({ atMost, atLeast, unit }: Claim): string {
  return atMost === undefined ? `≥ ${quantity(atLeast ?? 0, unit)}` : `≤ ${quantity(atMost, unit)}`;
}

/** The order of the kinds of work; others follow. */
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

/** All claims with their questions, grouped by work. */
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

/** The measurement by CPU, if there is one. */
export function cpuText({ byCpu, unit }: Claim): string {
  return byCpu === undefined || Number.isNaN(byCpu) ? '' : quantity(byCpu, unit);
}

function quantity(value: number, unit: Claim['unit']): string {
  return unit === '×' ? `${amount(value)} ×` : `${amount(value)} ${unit}`;
}

/** A number with three digits, or a whole number with thousands separators. */
export function amount(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
