// Runs OpenSearch's YAML REST tests against an Octavo server on a free port with an empty data directory, or
// against --url, and prints a table by folder.
//
//   npm run conformance -- --suite DIR [--api DIR] [--filter REGEX] [--json FILE] [--url URL] [--verbose]

import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadApis } from './rest/apis.ts';
import { Client } from './rest/client.ts';
import { type Outcome, runSuite } from './rest/runner.ts';
import { readSuite } from './rest/suite.ts';
import { startServer } from './server.ts';

const USAGE = `usage: npm run conformance -- --suite DIR [options]
  --suite DIR     the test files (YAML), in folders
  --api DIR       the API descriptions (JSON); default: the api folder next to the suite
  --filter REGEX  only tests whose "folder/file.yml :: name" matches
  --json FILE     write every outcome
  --url URL       a running server instead of one of our own; ALL ITS INDICES ARE DELETED
  --verbose       tell passed and skipped tests too`;

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string' },
      api: { type: 'string' },
      filter: { type: 'string' },
      json: { type: 'string' },
      url: { type: 'string' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true || values.suite === undefined) {
    (values.help === true ? process.stdout : process.stderr).write(`${USAGE}\n`);
    return values.help === true ? 0 : 2;
  }
  const suite = resolve(values.suite);
  const api = values.api ?? join(dirname(suite), 'api');
  for (const folder of [suite, api]) {
    if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`);
  }
  const filter = values.filter === undefined ? undefined : new RegExp(values.filter);
  if (values.url !== undefined && !/^http:\/\/(localhost|127\.|\[::1\])/.test(values.url)) {
    throw new Error('all indices are deleted: --url takes only a server on this machine');
  }
  const server = values.url === undefined ? await startServer() : { url: values.url, stop: async () => {} };
  try {
    const outcomes = await runAll(
      server.url,
      suite,
      api,
      (name) => filter?.test(name) ?? true,
      values.verbose === true,
    );
    const tally = printTable(outcomes);
    if (values.json !== undefined) {
      writeFileSync(
        values.json,
        `${JSON.stringify({ ...tally.all, folders: tally.folders, tests: outcomes }, null, 1)}\n`,
      );
    }
    return tally.all.failed > 0 ? 1 : 0;
  } finally {
    await server.stop();
  }
}

async function runAll(
  url: string,
  suite: string,
  api: string,
  takes: (name: string) => boolean,
  verbose: boolean,
): Promise<Outcome[]> {
  const client = new Client(url, 30_000);
  const root = await client.send('GET', '/');
  const version = /"number"\s*:\s*"([^"]+)"/.exec(root.text)?.[1] ?? '3.1.0';
  const outcomes: Outcome[] = [];
  for await (const outcome of runSuite(readSuite(suite), { apis: loadApis(api), client }, version, takes)) {
    outcomes.push(outcome);
    if (outcome.outcome === 'failed' || verbose) {
      const mark = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' }[outcome.outcome];
      process.stdout.write(
        `${mark} ${outcome.file} :: ${outcome.test}${outcome.detail && ` | ${outcome.detail.slice(0, 200)}`}\n`,
      );
    }
  }
  client.close();
  return outcomes;
}

function printTable(outcomes: readonly Outcome[]): { all: Tally; folders: Record<string, Tally> } {
  const folders: Record<string, Tally> = {};
  const all: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const { file, outcome } of outcomes) {
    const tally = (folders[dirname(file)] ??= { passed: 0, failed: 0, skipped: 0 });
    tally[outcome]++;
    all[outcome]++;
  }
  const width = Math.max(6, ...Object.keys(folders).map((name) => name.length));
  const row = (name: string, { passed, failed, skipped }: Tally): string =>
    `${name.padEnd(width)}  ${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ${String(skipped).padStart(7)}\n`;
  process.stdout.write(`\n${'folder'.padEnd(width)}  passed  failed  skipped\n`);
  for (const [name, tally] of Object.entries(folders)) process.stdout.write(row(name, tally));
  process.stdout.write(row('all', all));
  const ran = all.passed + all.failed;
  const share = ran === 0 ? '0' : ((100 * all.passed) / ran).toFixed(1);
  process.stdout.write(
    `${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped: ${share} % of those that apply\n`,
  );
  return { all, folders };
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`conformance: ${(error as Error).message}\n`);
  process.exitCode = 2;
}
