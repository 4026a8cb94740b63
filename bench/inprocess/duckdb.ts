// Aggregations of Octavo's in-process search compared with DuckDB: the same columns of the same documents, one thread each, in turns.
// The counts of both answers must add up to the same. DuckDB is no dependency of the repository: `npm install --no-save @duckdb/node-api` brings it.
//
//   node --import ./scripts/compiled.ts bench/inprocess/duckdb.ts [--docs 1000000] [--rounds 40]
//
// - Octavo is timed from the parsed JSON of a search to its results; filters begin at another moment in every round.
// - DuckDB is timed from the start of a prepared statement to its rows. Its table has no deleted documents.

import { parseArgs } from 'node:util';
import type { JsonObject } from '../../packages/engine/src/json/value.ts';
import { Deadline, runInSlices } from '../../packages/engine/src/search/deadline.ts';
import { search } from '../../packages/engine/src/search/search.ts';
import { draft, isDeleted, sectionName } from '../corpus/corpus.ts';
import { quantile } from '../measure/quantile.ts';
import { AGGREGATIONS, aggregationBody, firstDays } from '../questions/aggregations/cases.ts';
import { makeInProcessIndex, segmentSizes } from './in-process-index.ts';

/** What is used of the package. */
interface DuckDb {
  readonly DuckDBInstance: { create(path: string, options: Record<string, string>): Promise<Instance> };
}
interface Instance {
  connect(): Promise<Connection>;
}
interface Connection {
  run(sql: string): Promise<unknown>;
  createAppender(table: string): Promise<Appender>;
  prepare(sql: string): Promise<Statement>;
}
interface Appender {
  appendVarchar(text: string): void;
  appendBigInt(value: bigint): void;
  appendDouble(value: number): void;
  appendInteger(value: number): void;
  endRow(): void;
  closeSync(): void;
}
interface Statement {
  bindBigInt(place: number, value: bigint): void;
  runAndReadAll(): Promise<{ getRows(): unknown[][] }>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WHERE = 'WHERE gmt_modified >= $1 AND gmt_modified < $2';
/** By the name of the case: the same question in SQL. */
const QUERIES: Readonly<Record<string, string>> = {
  'keyword-terms, filtered': `SELECT section, count(*) n FROM docs ${WHERE} GROUP BY section ORDER BY n DESC, section LIMIT 10`,
  'multi_terms-keyword, filtered': `SELECT section, score, count(*) n FROM docs ${WHERE} GROUP BY section, score ORDER BY n DESC, section, score LIMIT 10`,
  'date_histogram_hourly_agg, filtered': `SELECT gmt_modified // ${HOUR} * ${HOUR} k, count(*) n FROM docs ${WHERE} GROUP BY k ORDER BY k`,
  'date_histogram_daily_agg, filtered': `SELECT gmt_modified // ${DAY} * ${DAY} k, count(*) n FROM docs ${WHERE} GROUP BY k ORDER BY k`,
  'stats, filtered': `SELECT count(*) n, min(size), max(size), sum(size) FROM docs ${WHERE}`,
  'date_histogram_daily_agg over terms, filtered': `SELECT gmt_modified // ${DAY} * ${DAY} k, section, count(*) n FROM docs ${WHERE} GROUP BY k, section ORDER BY k, n DESC, section`,
};

const { values } = parseArgs({
  options: { docs: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '40' } },
});
const docs = Number(values.docs);
const rounds = Number(values.rounds);
const days = firstDays(rounds);

const name = '@duckdb/node-api';
const duckdb = (await import(name).catch(() => {
  throw new Error(`${name} is missing: npm install --no-save ${name}`);
})) as DuckDb;
const connection = await (await duckdb.DuckDBInstance.create(':memory:', { threads: '1' })).connect();
await connection.run('CREATE TABLE docs (section VARCHAR, score DOUBLE, gmt_modified BIGINT, size INTEGER)');
const appender = await connection.createAppender('docs');
for (let i = 0; i < docs; i++) {
  if (isDeleted(i)) continue;
  const doc = draft(i);
  appender.appendVarchar(sectionName(doc.section));
  appender.appendDouble(doc.score);
  appender.appendBigInt(BigInt(doc.gmtModified));
  appender.appendInteger(doc.size);
  appender.endRow();
}
appender.closeSync();

const { index, services } = makeInProcessIndex({
  name: 'aggregations',
  properties: {
    section: { type: 'keyword' },
    score: { type: 'double' },
    gmt_modified: { type: 'date' },
    size: { type: 'integer' },
  },
  sourceOf: ({ section, score, gmt_modified, size }) => ({ section, score, gmt_modified, size }),
  sizes: segmentSizes(docs),
});

async function ours(body: Record<string, unknown>): Promise<number> {
  const request = {
    ...{ indices: ['corpus'], size: 0, trackTotalHits: false },
    query: body['query'] as JsonObject,
    aggregations: body['aggs'] as JsonObject,
  };
  const deadline = new Deadline();
  const page = await runInSlices(search([index], request, services, 0, deadline), deadline);
  const result = page.result().aggregations!.get('outer')!;
  if (result.shape === 'metric') return Number(result.members['count']);
  if (result.shape !== 'buckets') throw new Error(result.shape);
  return result.buckets.reduce((sum, { docCount }) => sum + docCount, 0);
}

/** The sum of all counts. */
function counted(rows: readonly unknown[][], sql: string): number {
  const at = sql.startsWith('SELECT count') ? 0 : (rows[0]?.length ?? 1) - 1;
  return rows.reduce((sum, row) => sum + Number(row[at]), 0);
}

process.stdout.write('| case | Octavo | DuckDB | Octavo compared with DuckDB |\n| --- | --: | --: | --: |\n');
for (const one of AGGREGATIONS) {
  const sql = QUERIES[one.name];
  if (sql === undefined) continue;
  const statement = await connection.prepare(sql);
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (const day of [...days, ...days]) {
    const body = aggregationBody(one, day) as Record<string, unknown>;
    const { gte, lt } = (body['query'] as { range: { gmt_modified: { gte: number; lt: number } } }).range
      .gmt_modified;
    const start = performance.now();
    const own = await ours(body);
    const middle = performance.now();
    statement.bindBigInt(1, BigInt(gte));
    statement.bindBigInt(2, BigInt(lt));
    const rows = (await statement.runAndReadAll()).getRows();
    times.theirs.push(performance.now() - middle);
    times.ours.push(middle - start);
    const due = counted(rows, sql);
    if (own !== due) throw new Error(`${one.name} from day ${day}: ${own} documents, DuckDB has ${due}`);
    services.caches.filters.clear();
  }
  const [a, b] = [times.ours, times.theirs].map((list) => quantile(list.slice(rounds), 0.5));
  process.stdout.write(
    `| ${one.name} | ${a!.toFixed(1)} ms | ${b!.toFixed(1)} ms | ${(b! / a!).toFixed(2)} × |\n`,
  );
}
