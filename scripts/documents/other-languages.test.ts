// The examples for other languages pass the fixtures: mentions in Python, Go, Kotlin and Swift, tokens in Python and Go. A language
// whose compiler is not installed is skipped.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../tidy.ts';

const MENTIONS = join(ROOT, 'conformance/mention');
const TOKENS = join(ROOT, 'conformance/tokens');

interface Case {
  readonly name: string;
  readonly markup: string;
  readonly content: { readonly text: string; readonly entities: readonly Record<string, unknown>[] };
}

/** Why a test is skipped; false if the program is there. */
function lacks(program: string, flag = '--version'): string | false {
  return spawnSync(program, [flag]).status === 0 ? false : `${program} is not installed`;
}

function run(program: string, args: readonly string[], input?: string): string {
  // Python leaves nothing in the folders of the checkout.
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const ended = spawnSync(program, args, { encoding: 'utf8', input, env });
  assert.equal(ended.status, 0, `${program} ${args.join(' ')}\n${ended.stderr}`);
  return ended.stdout;
}

const python = lacks('python3');
const go = lacks('go', 'version');

test('mentions in Python', { skip: python }, () => {
  const printed = run('python3', [join(MENTIONS, 'mentions.py'), join(MENTIONS, 'parse.json')]);
  assert.match(printed, /^\d\d cases\n$/);
});

test('tokens in Python', { skip: python }, () => {
  const fixtures = ['tokens.json', 'fingerprints.json'].map((name) => join(TOKENS, name));
  assert.match(run('python3', [join(TOKENS, 'tokens.py'), ...fixtures]), /^1\d tokens, 1\d fingerprints\n$/);
});

test('mentions in Go', { skip: go }, () => {
  const printed = run('go', ['run', join(MENTIONS, 'mentions.go'), join(MENTIONS, 'parse.json')]);
  assert.match(printed, /^\d\d cases\n$/);
});

test('tokens in Go', { skip: go }, () => {
  const fixtures = ['tokens.json', 'fingerprints.json'].map((name) => join(TOKENS, name));
  assert.match(
    run('go', ['run', join(TOKENS, 'tokens.go'), ...fixtures]),
    /^1\d tokens, 1\d fingerprints\n$/,
  );
});

/** Sends all markups to a compiled example, and compares what it prints. */
function checkMentions(program: string, args: readonly string[]): void {
  const { cases } = JSON.parse(readFileSync(join(MENTIONS, 'parse.json'), 'utf8')) as { cases: Case[] };
  const printed = run(program, args, cases.map(({ markup }) => markup).join('\u001e')).split('\u001e');
  assert.equal(printed.length, cases.length);
  for (const [at, { name, content }] of cases.entries()) {
    const entities = content.entities.map((entity) =>
      ['kind', 'username', 'href', 'id', 'start', 'end'].map((key) => entity[key] ?? '').join('\u001d'),
    );
    assert.equal(printed[at], [content.text, ...entities].join('\u001f'), name);
  }
}

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-languages-'));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('mentions in Kotlin', { skip: lacks('kotlinc', '-version') }, () =>
  inFolder((folder) => {
    const jar = join(folder, 'mentions.jar');
    run('kotlinc', [join(MENTIONS, 'Mentions.kt'), '-include-runtime', '-d', jar]);
    checkMentions('java', ['-jar', jar]);
  }),
);

test('mentions in Swift', { skip: lacks('swiftc') }, () =>
  inFolder((folder) => {
    const program = join(folder, 'mentions');
    run('swiftc', [join(MENTIONS, 'Mentions.swift'), '-o', program]);
    checkMentions(program, []);
  }),
);
