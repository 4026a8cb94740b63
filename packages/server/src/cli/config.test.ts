// A configuration file sets flags after the command line and the environment; errors name the file and the
// flag.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command } from 'commander';
import { readConfig } from './config.ts';
import { Failure } from './failure.ts';
import { collectList, flag, switchFlag, wholeNumber } from './flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'octavo-config-'));
const file = join(folder, 'octavo.yaml');
after(() => rmSync(folder, { recursive: true }));

function parsed(text: string, ...argv: string[]): Record<string, unknown> {
  writeFileSync(file, text);
  const command = new Command()
    .addOption(flag('--host <address>', 'h', '127.0.0.1'))
    .addOption(flag('--port <n>', 'p', 9200).argParser(wholeNumber(0, 65535)))
    .addOption(flag('--cors-origin <origins>', 'c').argParser(collectList))
    .addOption(flag('--compat <product>', 'c', 'opensearch').choices(['opensearch', 'elasticsearch']))
    .addOption(switchFlag('--demo', 'd'))
    .addOption(flag('--config <file>', 'f'));
  command.parse(argv, { from: 'user' });
  readConfig(command, file);
  return command.opts();
}

test('values of all kinds are taken, and what is not named keeps its default', () => {
  const text =
    'port: 9201\ncors-origin: [http://a, "http://b,http://c"]\ndemo: true\ncompat: elasticsearch\n';
  const { host, port, corsOrigin, demo, compat } = parsed(text);
  assert.deepEqual([host, port, demo, compat], ['127.0.0.1', 9201, true, 'elasticsearch']);
  assert.deepEqual(corsOrigin, ['http://a', 'http://b', 'http://c']);
  assert.equal(parsed('{"port": 9202}')['port'], 9202);
  assert.equal(parsed('# nothing\n')['port'], 9200);
});

test('the command line and the environment go before the file', () => {
  assert.equal(parsed('port: 9201', '--port', '9300')['port'], 9300);
  process.env['OCTAVO_PORT'] = '9400';
  assert.equal(parsed('port: 9201')['port'], 9400);
  delete process.env['OCTAVO_PORT'];
});

test('what is wrong is named with its file', () => {
  const cases: [string, RegExp][] = [
    ['prot: 1', /Unknown setting prot; known are host, port/],
    ['port: many', /port is "many"\. Give a whole number/],
    ['port: 70000', /port is 70000/],
    ['host: [a, b]', /host takes one value/],
    ['demo: maybe', /demo is "maybe"; it must be true or false/],
    ['compat: solr', /compat is "solr"; it must be one of opensearch, elasticsearch/],
    ['host: { a: { b: 1 } }', /host is/],
    ['host: null', /host is null/],
    ['- a', /names and values/],
    ['a: b: c', /line 1/],
    ['a: &x [1]\nb: *x', /./],
    ['config: other.yaml', /Unknown setting config/],
    ['__proto__: 1', /Unknown setting __proto__/],
  ];
  for (const [text, reason] of cases) {
    assert.throws(
      () => parsed(text),
      (error) =>
        error instanceof Failure &&
        error.exitCode === 2 &&
        reason.test(error.message) &&
        error.message.includes(file),
      text,
    );
  }
});
