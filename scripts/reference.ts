// Rewrites the generated tables of docs/reference. Tidy checks that they match the code.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProject } from './tidy/project.ts';
import { TABLES, withTable } from './tidy/reference.ts';
import { ROOT } from './tidy.ts';

const project = readProject(ROOT);
for (const [path, table] of Object.entries(TABLES)) {
  const file = join(ROOT, path);
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), table(project)));
}
