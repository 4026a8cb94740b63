// Tests the application API against its OpenAPI document with Schemathesis (a program from PyPI): no 5xx, no
// reply outside its schema. Starts a server with the demo's feed, chat and accounts.
//
//   node scripts/schemathesis.ts [--max-examples N] [any other option of `schemathesis run`]
//   OCTAVO_SCHEMATHESIS=/path/to/schemathesis names the program if it is not on the path

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRecords } from '@octavo/demo';
import { open } from '@octavo/engine';
import { createWebhook, openRecords } from '@octavo/records';
import { ANONYMOUS } from '../packages/server/src/access/callers/principal.ts';
import { newWebhookSecret } from '../packages/server/src/events/webhooks/signature.ts';
import { createServer, listen } from '../packages/server/src/serve.ts';

const PROGRAM = process.env['OCTAVO_SCHEMATHESIS'] ?? 'schemathesis';

const HOW = `${PROGRAM} is not installed. It is a program of PyPI:

  python3 -m venv ~/.venvs/schemathesis && ~/.venvs/schemathesis/bin/pip install schemathesis
  OCTAVO_SCHEMATHESIS=~/.venvs/schemathesis/bin/schemathesis node scripts/schemathesis.ts
`;

/**
 * The document cannot express which fields exclude each other and which ids exist, so a request that matches the schema
 * may still be refused with a 4xx.
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
  'allow_header_conformance',
];

/** The id of an existing webhook; random ids would never be found. */
const WEBHOOK = 'wh_there';

/**
 * Every 4xx counts as a refusal; 413 and 414 do not by default. Events are requested as pages, because an endless stream
 * has no complete reply.
 */
const CONFIGURATION = `[checks.negative_data_rejection]
expected-statuses = ["4xx"]

[[operations]]
include-operation-id = "followEvents"
parameters = { "query.format" = "json" }

[[operations]]
include-operation-id = ["getWebhook", "updateWebhook"]
parameters = { "path.id" = "${WEBHOOK}" }
`;

/** Runs it against a new server. Resolves with the exit code. */
export async function run(options: readonly string[]): Promise<number> {
  if (spawnSync(PROGRAM, ['--version']).status !== 0) {
    process.stderr.write(HOW);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'octavo-schemathesis-'));
  const engine = await open(join(folder, 'data'));
  const records = await openRecords(join(folder, 'data'));
  // Keys created during the run must not lock the other requests out.
  const everybody = { authenticate: () => ANONYMOUS, keyless: () => true };
  // Allows webhooks to addresses of this machine, for machines without DNS.
  const app = await createServer(engine, { records, webhookAllowPrivate: true, ...everybody });
  try {
    await loadRecords(records);
    await records.write(createWebhook, {
      id: WEBHOOK,
      url: 'http://127.0.0.1:9/',
      types: ['item.*'],
      subject: undefined,
      secret: newWebhookSecret(),
      owner: { id: ANONYMOUS.id, scopes: ANONYMOUS.scopes },
      position: 'r0.d0',
    });
    const address = await listen(app, { port: 0 });
    const configuration = join(folder, 'schemathesis.toml');
    writeFileSync(configuration, CONFIGURATION);
    return await finished([
      '--config-file',
      configuration,
      'run',
      `${address}/api/openapi.json`,
      // The search wire accepts more than its description says.
      '--include-path-regex',
      '^/api',
      '--checks',
      CHECKS.join(','),
      '--generation-database',
      'none',
      '--continue-on-failure',
      '--suppress-health-check',
      'all',
      ...options,
    ]);
  } finally {
    await app.close();
    await records.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function finished(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
