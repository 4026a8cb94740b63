// Aggregations over HTTP. No answer is in a cache: Octavo keeps none, and OpenSearch is asked with `request_cache=false`. Filters
// begin at another moment in every request; what is not filtered is asked again with other white space.

import { SECTIONS, sectionName } from '../../corpus/corpus.ts';
import { firstDocs, respellRequests, SORT } from '../../measure/listing.ts';
import {
  ask,
  type Claim,
  expectEqual,
  INDEX,
  medianOf,
  type Question,
  ratioOf,
  type Setting,
  type Target,
} from '../../measure/question.ts';
import { timeAll } from '../../measure/timing.ts';
import {
  AGGREGATIONS,
  type AggregationCase,
  type Answer,
  APPROXIMATE,
  aggregationBody,
  firstDays,
  type Values,
  valuesOf,
} from './cases.ts';

const PATH = `/${INDEX}/_search?request_cache=false`;
/** Windows of time that are asked for in turn. */
const WINDOWS = 2000;

export const aggregations: Question = {
  name: 'aggregations',
  asks: 'What do aggregations cost, over all documents and over a filter?',
  async run(setting) {
    const values = liveValues(setting);
    const days = firstDays(WINDOWS);
    for (const one of AGGREGATIONS) {
      for (const day of one.isFiltered ? [days[0]!, days[WINDOWS / 2]!] : [0]) {
        const due = one.counted(valuesOf(one, day, values));
        for (const target of setting.servers) await compare(target, one, day, due);
      }
    }
    return timeAll(
      setting,
      AGGREGATIONS.map((one) => {
        const asked = (one.isFiltered ? days : [0]).map((day) => ({
          method: 'POST' as const,
          path: PATH,
          body: JSON.stringify(aggregationBody(one, day)),
        }));
        return { name: one.name, requests: respellRequests(asked) };
      }),
    );
  },
  claims: (rows): Claim[] =>
    AGGREGATIONS.map(({ name }) => ({
      work: 'aggregations',
      says: `${name}, faster than OpenSearch`,
      measured: ratioOf(medianOf(rows, name, 'opensearch'), medianOf(rows, name, 'octavo')),
      unit: '×',
      atLeast: 5,
    })),
};

async function compare(
  target: Target,
  one: AggregationCase,
  day: number,
  due: readonly unknown[],
): Promise<void> {
  const body = aggregationBody(one, day);
  const reply = await ask<{ aggregations: { outer: Answer } }>(target, 'POST', PATH, body);
  const said = one.said(reply.aggregations.outer);
  if (target.name === 'opensearch' && APPROXIMATE.has(one.name)) {
    const [a, b] = [Number(said[0]), Number(due[0])];
    expectEqual(target, `${one.name} within a tenth`, Math.abs(a - b) <= b / 10, true);
  } else expectEqual(target, `${one.name} from day ${day}`, said, due);
}

function liveValues({ truth }: Setting): Values[] {
  const sections = new Map<number, string>();
  for (let section = 0; section < SECTIONS; section++)
    for (const doc of truth.sorted(SORT, section)) sections.set(doc, sectionName(section));
  return Array.from(firstDocs(truth), (doc) => {
    const [date, score, size] = truth.sortValues(doc, [
      ['gmt_modified', 'asc'],
      ['score', 'asc'],
      ['size', 'asc'],
    ]) as number[];
    return { id: truth.ids[doc]!, section: sections.get(doc)!, date: date!, score: score!, size: size! };
  });
}
