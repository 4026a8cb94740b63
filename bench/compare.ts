// How do two figures compare? By the clock, and by the CPU that the servers took for it, which neighbours on the machine
// move less.

import { over, type PeerName, type Row, type Unit } from './question.ts';

export interface Compared {
  readonly measured: number | undefined;
  readonly byCpu: number | undefined;
}

/** How many times better than OpenSearch Octavo is in a case: faster, with less CPU. */
export function timesOpenSearch(rows: readonly Row[], name: string, unit?: Unit): Compared {
  const row = rows.find((one) => one.name === name && (unit === undefined || one.unit === unit));
  const { octavo, opensearch } = row?.figures ?? {};
  const isRate = row?.unit === 'docs/s';
  return {
    measured: isRate ? over(octavo?.median, opensearch?.median) : over(opensearch?.median, octavo?.median),
    byCpu: over(opensearch?.cpu, octavo?.cpu),
  };
}

/** What one case costs in another one: piece beside piece where `timeAll` asked them by turns, else by their medians. */
export function costs(
  rows: readonly Row[],
  name: string,
  other: string,
  peer: PeerName = 'octavo',
): Compared {
  const of = (wanted: string) => rows.find((row) => row.name === wanted)?.figures[peer];
  return {
    measured: of(name)?.beside?.[other] ?? over(of(name)?.median, of(other)?.median),
    byCpu: over(of(name)?.cpu, of(other)?.cpu),
  };
}
