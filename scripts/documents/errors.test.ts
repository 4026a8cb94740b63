// docs/reference/errors.md lists only errors that exist: the code uses every type and every code of its tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_TYPES } from '../../packages/engine/src/errors.ts';
import { PROBLEMS } from '../../packages/server/src/errors/problem.ts';
import { readProject } from '../tidy/project.ts';
import { ROOT } from '../tidy.ts';

/** The files that define the tables. */
const TABLES =
  /^packages\/(engine\/src\/errors|server\/src\/errors\/problem|records\/src\/contracts\/errors)\.ts$/;

const used = new Set<string>();
for (const [path, text] of readProject(ROOT))
  if (/^packages\/\w+\/src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts') && !TABLES.test(path))
    for (const [word] of text.matchAll(/[a-z]+(?:[-_][a-z]+)*/g)) used.add(word);

test('the engine or the server uses every type of the search wire, except those that only a cluster returns', () => {
  const unused = Object.entries(ERROR_TYPES).filter(
    ([type, { meaning }]) => !used.has(type) && !meaning.startsWith('In a cluster: '),
  );
  assert.deepEqual(unused, []);
});

test('the server or the records use every problem code', () => {
  assert.deepEqual(
    Object.keys(PROBLEMS).filter((code) => !used.has(code)),
    [],
  );
});
