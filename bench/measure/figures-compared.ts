// Ratios of figures: by the clock, and by the CPU of the servers, which other load on the machine affects
// less.

import { type PeerName, type Row, ratioOf, type Unit } from './question.ts';

interface FigureRatio {
  readonly measured: number | undefined;
  readonly byCpu: number | undefined;
}

/** How many times faster than OpenSearch Octavo is in a case, and how many times less CPU it takes. */
export function timesOpenSearch(rows: readonly Row[], name: string, unit?: Unit): FigureRatio {
  const row = rows.find((one) => one.name === name && (unit === undefined || one.unit === unit));
  const { octavo, opensearch } = row?.figures ?? {};
  const isRate = row?.unit === 'docs/s';
  return {
    measured: isRate
      ? ratioOf(octavo?.median, opensearch?.median)
      : ratioOf(opensearch?.median, octavo?.median),
    byCpu: ratioOf(opensearch?.cpu, octavo?.cpu),
  };
}

/** The cost of one case as a multiple of another. Paired if `timeAll` ran both in turns; otherwise by their medians. */
export function costRatio(
  rows: readonly Row[],
  name: string,
  other: string,
  peer: PeerName = 'octavo',
): FigureRatio {
  const of = (caseName: string) => rows.find((row) => row.name === caseName)?.figures[peer];
  return {
    measured: of(name)?.beside?.[other] ?? ratioOf(of(name)?.median, of(other)?.median),
    byCpu: ratioOf(of(name)?.cpu, of(other)?.cpu),
  };
}
