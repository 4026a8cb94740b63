// `npm run test:clients`: runs real clients of OpenSearch and Elasticsearch, unchanged, against a new server each. Prints how many
// calls of each client were tried and how many work. Exit code 1 if a call fails that is not in expected-failures.json, or works
// though it is there. A client that cannot be installed fails the call `install`.
//
//   npm run test:clients                              all clients, in some minutes
//   npm run test:clients -- opensearch-js elasticdump these only
//   npm run test:clients -- --write                   all, and writes the tables of docs/compatibility.md

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startOctavo } from '../../bench/peers/octavo.ts';
import { CLIENTS, type Client } from './client-list.ts';
import { type Installed, install, versionOf } from './install.ts';
import {
  type Call,
  callsIn,
  type Expected,
  type Outcome,
  shortened,
  surprises,
  tablesOf,
} from './results.ts';
import { runCommand } from './run-command.ts';

const PAGE = fileURLToPath(new URL('../../docs/compatibility.md', import.meta.url));
const BEGIN = '<!-- made by scripts/clients/clients.ts: begin -->';
const END = '<!-- made by scripts/clients/clients.ts: end -->';
const EXPECTED = new URL('./expected-failures.json', import.meta.url);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The clients of these names, all without names. */
export function clientsNamed(names: readonly string[]): readonly Client[] {
  const known = CLIENTS.map(({ name }) => name);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined)
    throw new Error(`there is no client ${wrong}; the clients are ${known.join(', ')}`);
  return names.length === 0 ? CLIENTS : CLIENTS.filter(({ name }) => names.includes(name));
}

async function callsOf(client: Client): Promise<readonly Call[]> {
  let installed: Installed;
  try {
    installed = await install(client);
  } catch (error) {
    return [
      {
        call: 'install',
        ok: false,
        error: shortened(error instanceof Error ? error.message : String(error)),
      },
    ];
  }
  const octavo = await startOctavo(['--compat', client.product]);
  try {
    const [program, ...args] = installed.command;
    const { ended, output, errors } = await runCommand(
      program,
      [...args, octavo.url],
      installed.folder,
      client.seconds ?? 120,
      // Some tools write settings and logs below the home folder.
      { ...process.env, HOME: installed.folder },
    );
    const calls = callsIn(output);
    if (ended === 0 && calls.length > 0) return calls;
    const last = errors.trim().split('\n').at(-1) ?? '';
    return [
      ...calls,
      { call: 'run', ok: false, error: shortened(`the program ended with ${ended}: ${last}`) },
    ];
  } finally {
    await octavo.stop();
  }
}

function writeTables(tables: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${PAGE} has no ${BEGIN} … ${END}`);
  writeFileSync(PAGE, `${page.slice(0, begin + BEGIN.length)}\n\n${tables}\n\n${page.slice(end)}`);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  });
  if (values.write && positionals.length > 0) throw new Error('--write takes the results of all clients');
  const expected = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Expected;
  const outcomes: Outcome[] = [];
  for (const client of clientsNamed(positionals)) {
    const calls = await callsOf(client);
    outcomes.push({ name: client.name, version: versionOf(client.packages[0]!), calls });
    say(`${client.name}: ${calls.filter(({ ok }) => ok).length} of ${calls.length}`);
  }
  const tables = tablesOf(outcomes, expected, new Date().toISOString().slice(0, 10));
  say(`\n${tables}\n`);
  if (values.write) writeTables(tables);
  const found = surprises(outcomes, expected);
  for (const line of found) say(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
