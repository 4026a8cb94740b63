// Pages of a sorted list while another connection asks for heavy aggregations without a pause, and without it. Both are measured in
// turns, so noise affects both.

import { SORT, searchRequest, sortBody } from '../../measure/listing.ts';
import {
  type Claim,
  INDEX,
  type Question,
  type Row,
  type Setting,
  type Target,
} from '../../measure/question.ts';
import { addSums, figureOf, type JobSum, measure, roundsOf, waitUntilAllIdle } from '../../measure/timing.ts';
import { AGGREGATIONS, aggregationBody, firstDays } from './cases.ts';

const ALONE = 'page, alone';
const BESIDE = 'page, beside aggregations';
const HEAVY: readonly string[] = [
  'multi_terms-keyword, filtered',
  'date_histogram_hourly_agg',
  'date_histogram_daily_agg over terms, filtered',
];
const ROUNDS = 6;
const SIZE = 20;
/** Pages are asked for in turn, each with another start. */
const STARTS = 500;

export const pagesBesideAggregations: Question = {
  name: 'pages_beside_aggregations',
  asks: 'What does a page cost while somebody else aggregates?',
  async run(setting) {
    const rows = [ALONE, BESIDE].map((name): Row => ({ name, unit: 'µs', figures: {} }));
    for (const target of setting.servers) {
      await waitUntilAllIdle(setting);
      // The first round only warms up.
      const rounds = roundsOf(setting, ROUNDS) + 1;
      const sums: [JobSum?, JobSum?] = [];
      for (let round = 0; round < rounds; round++) {
        const [alone, beside] = [
          await pages(setting, target, rounds, false),
          await pages(setting, target, rounds, true),
        ];
        if (round === 0) continue;
        sums[0] = addSums(sums[0], alone);
        sums[1] = addSums(sums[1], beside);
      }
      for (const [at, sum] of sums.entries()) rows[at]!.figures[target.name] = figureOf(sum!);
    }
    return rows;
  },
  claims(rows): Claim[] {
    const p99 = (name: string): number | undefined =>
      rows.find((row) => row.name === name)?.figures.octavo?.p99;
    const [alone, beside] = [p99(ALONE), p99(BESIDE)];
    return [
      {
        work: 'pages beside aggregations',
        says: 'p99 of a page beside heavy aggregations, less that of a page alone',
        measured: alone === undefined || beside === undefined ? undefined : (beside - alone) / 1000,
        unit: 'ms',
        atMost: 5,
      },
    ];
  },
};

async function pages(setting: Setting, target: Target, rounds: number, isBeside: boolean): Promise<JobSum> {
  const forMs = setting.maxMs / rounds;
  const heavy = AGGREGATIONS.filter(({ name }) => HEAVY.includes(name));
  const aggregating = isBeside
    ? setting.backgroundLoad.run({
        kind: 'repeat',
        url: target.url,
        requests: firstDays(STARTS).flatMap((day) =>
          heavy.map((one) => ({
            method: 'POST' as const,
            path: `/${INDEX}/_search?request_cache=false`,
            body: JSON.stringify(aggregationBody(one, day)),
          })),
        ),
        connections: 1,
        most: Number.MAX_SAFE_INTEGER,
        mostMs: forMs,
      })
    : undefined;
  const measured = await measure(setting, target, isBeside ? BESIDE : ALONE, {
    kind: 'repeat',
    url: target.url,
    requests: Array.from({ length: STARTS }, (_, i) =>
      searchRequest({ query: { match_all: {} }, sort: sortBody(SORT), from: i * 7, size: SIZE }, INDEX),
    ),
    connections: 1,
    most: Number.MAX_SAFE_INTEGER,
    mostMs: forMs,
  });
  const done = await aggregating;
  if (done?.error !== undefined) throw new Error(`${target.name}: ${done.error}`);
  return measured;
}
