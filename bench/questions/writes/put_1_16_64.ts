// Single writes: PUT of new documents at 1, 16 and 64 connections, each durable when acknowledged.

import { draft, spell } from '../../corpus/corpus.ts';
import type { Request } from '../../load/load.ts';
import { timesOpenSearch } from '../../measure/figures-compared.ts';
import { createIndex } from '../../measure/load-corpus.ts';
import {
  ask,
  type Claim,
  expectEqual,
  expectSource,
  type Question,
  type Row,
  type Setting,
  type Target,
} from '../../measure/question.ts';
import {
  addSums,
  figureOf,
  type JobSum,
  measure,
  rateOf,
  roundsOf,
  waitUntilAllIdle,
  warmUpRounds,
} from '../../measure/timing.ts';

const CONNECTIONS = [1, 16, 64];
const INDEX = 'bench-put';
const nameOf = (connections: number): string => `PUT, ${connections} connections`;

export const put: Question = {
  name: 'put_1_16_64',
  asks: 'What does one document at a time cost?',
  async run(setting) {
    const rows: Row[] = [];
    for (const target of setting.servers) await createIndex(target, INDEX);
    for (const connections of CONNECTIONS) rows.push(...(await atOnce(setting, connections)));
    for (const target of setting.servers) await ask(target, 'DELETE', `/${INDEX}`);
    return rows;
  },
  claims: (rows) =>
    CONNECTIONS.map(
      (connections): Claim => ({
        work: 'bulk ingest, durable and searchable when acknowledged',
        says: `${nameOf(connections)}, × a warm OpenSearch`,
        ...timesOpenSearch(rows, nameOf(connections), 'docs/s'),
        unit: '×',
        atLeast: connections === 1 ? 3 : 4,
      }),
    ),
};

async function atOnce(setting: Setting, connections: number): Promise<Row[]> {
  const rates: Row = { name: nameOf(connections), unit: 'docs/s', figures: {} };
  const times: Row = { name: nameOf(connections), unit: 'µs', figures: {} };
  // 4,000 requests on 64 connections are only 62 group commits, and p99 would be the slowest of them.
  const most = Math.min(16_000, setting.maxRequests * 40);
  const requests = (round: number): Request[] =>
    Array.from({ length: most }, (_, i) => ({
      method: 'PUT',
      path: `/${INDEX}/_doc/${connections}-${round}-${i}`,
      body: JSON.stringify(spell(draft(i))),
    }));
  const rounds = new Map(setting.servers.map((target): [typeof target, JobSum[]] => [target, []]));
  const before = new Map<Target, number>();
  for (const target of setting.servers) before.set(target, await countOf(target));
  for (let round = 1 - warmUpRounds(setting); round <= roundsOf(setting, 3); round++) {
    for (const [target, sums] of rounds) {
      await waitUntilAllIdle(setting);
      const sum = await measure(setting, target, times.name, {
        kind: 'repeat',
        url: target.url,
        requests: requests(round),
        connections,
        most,
        mostMs: setting.maxMs / 2,
      });
      before.set(target, before.get(target)! + sum.micros.length);
      expectEqual(target, `documents after ${times.name}`, await countOf(target), before.get(target));
      await expectSource(target, INDEX, `${connections}-${round}-0`, spell(draft(0)));
      if (round > 0) sums.push(sum);
    }
  }
  for (const [target, sums] of rounds) {
    rates.figures[target.name] = rateOf(sums, ({ micros }) => micros.length);
    times.figures[target.name] = figureOf(sums.reduce((a, b) => addSums(a, b)));
  }
  return [rates, times];
}

async function countOf(target: Target): Promise<number> {
  // Octavo's writes are searchable when acknowledged. The peer needs a refresh, which is not counted.
  if (target.name !== 'octavo') await ask(target, 'POST', `/${INDEX}/_refresh`);
  return (await ask<{ count: number }>(target, 'GET', `/${INDEX}/_count`)).count;
}
