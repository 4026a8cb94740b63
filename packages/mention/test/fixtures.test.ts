import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  applyEdits,
  type Content,
  convertUnit,
  type Edit,
  parseMarkup,
  toMarkup,
  truncate,
  type Unit,
  validateContent,
} from '../src/index.ts';

const FOLDER = new URL('../../../conformance/mention/', import.meta.url);
const JAVA = fileURLToPath(new URL('./java/Mentions.java', import.meta.url));

interface Case {
  readonly name: string;
  readonly markup: string;
  readonly canonical: string;
  readonly content: Content;
  readonly text: string;
  readonly entities: readonly unknown[];
  readonly unit: string;
  readonly problems: readonly { readonly path: string; readonly code: string }[];
  readonly to: Unit;
  readonly converted: Content;
  readonly edits: readonly Edit[];
  readonly edited: Content;
  readonly max: number;
  readonly ellipsis: string;
  readonly truncated: Content;
}

function fixtures(name: string, check: (given: Case) => void): void {
  test(`fixtures: ${name}`, () => {
    const { cases } = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as { cases: Case[] };
    assert.ok(cases.length > 5);
    assert.equal(new Set(cases.map((given) => given.name)).size, cases.length, 'names are unique');
    for (const given of cases) check(given);
  });
}

const sorted = (problems: Case['problems']): string[] =>
  problems.map(({ path, code }) => `${path} ${code}`).sort();

fixtures('parse', ({ name, markup, content, canonical }) => {
  assert.deepEqual(parseMarkup(markup), content, name);
  assert.equal(toMarkup(content), canonical, name);
  assert.deepEqual(parseMarkup(canonical), content, name);
});
fixtures('print', ({ name, content, markup }) => assert.equal(toMarkup(content), markup, name));
fixtures('validate', ({ name, text, entities, unit, problems }) => {
  assert.deepEqual(sorted(validateContent(text, entities, unit)), sorted(problems), name);
});
fixtures('convert', ({ name, content, to, converted }) =>
  assert.deepEqual(convertUnit(content, to), converted, name),
);
fixtures('edit', ({ name, content, edits, edited }) =>
  assert.deepEqual(applyEdits(content, edits), edited, name),
);
fixtures('truncate', ({ name, content, max, ellipsis, truncated }) => {
  assert.deepEqual(truncate(content, max, ellipsis), truncated, name);
});

const noJava = spawnSync('java', ['--version']).status === 0 ? false : 'there is no java on this machine';

test('a parser in Java passes parse, print and validate', { skip: noJava }, async () => {
  const files = ['parse', 'print', 'validate'].map((name) => fileURLToPath(new URL(`${name}.json`, FOLDER)));
  const { stdout } = await promisify(execFile)('java', [JAVA, ...files]);
  assert.match(stdout, /^\d+ passed, 0 failed\n$/);
});
