// How fast do documents go in? The whole corpus by bulk requests of 2,000 documents on 4 connections, into a warm
// server. Octavo's are durable and searchable when acknowledged; the refresh that the peer needs is not counted.

import { MAPPINGS } from '../corpus.ts';
import {
  ask,
  expectEqual,
  INDEX,
  type Question,
  type Row,
  refuseErrors,
  type Setting,
  type Target,
} from '../question.ts';

const BATCH = 2000;
const CONNECTIONS = 4;
const WARM_UP = 20_000;

export const ingest: Question = { name: 'ingest', asks: 'How fast do documents go in?', run };

async function run(setting: Setting): Promise<Row[]> {
  const row: Row = {
    name: `bulk, ${BATCH} a request, ${CONNECTIONS} connections`,
    unit: 'docs/s',
    figures: {},
  };
  for (const target of setting.targets) {
    await create(target, `${INDEX}-warm`);
    await write(setting, target, `${INDEX}-warm`, Math.min(WARM_UP, setting.truth.docs));
    await ask(target, 'DELETE', `/${INDEX}-warm`);
    await create(target, INDEX);
    const median = await write(setting, target, INDEX, setting.truth.docs);
    row.figures[target.name] = { median };
    setting.say(`${target.name}: ${Math.round(median).toLocaleString('en-US')} docs/s`);
    await ask(target, 'POST', `/${INDEX}/_refresh`);
    const { count } = await ask<{ count: number }>(target, 'GET', `/${INDEX}/_count`);
    expectEqual(target, 'documents after the ingest', count, setting.truth.docs);
  }
  return [row];
}

async function create(target: Target, name: string): Promise<void> {
  await ask(target, 'PUT', `/${name}`, {
    mappings: MAPPINGS,
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      // The peer refuses pages beyond 10,000 unless told otherwise; told otherwise it can be compared.
      ...(target.name === 'opensearch' ? { max_result_window: 10_000_000 } : {}),
    },
  });
}

async function write(setting: Setting, target: Target, index: string, docs: number): Promise<number> {
  const cuts: number[] = [];
  for (let doc = 0; doc < docs; doc += BATCH) cuts.push(setting.truth.offsets[doc] ?? 0);
  cuts.push(setting.truth.offsets[docs] ?? 0);
  const measured = await setting.load.run({
    kind: 'bulk',
    url: target.url,
    path: `/${index}/_bulk`,
    file: setting.file,
    cuts,
    connections: CONNECTIONS,
  });
  refuseErrors(target, 'ingest', measured);
  return docs / (measured.elapsedMs / 1000);
}
