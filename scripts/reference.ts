// Rewrites the generated tables of docs/reference, and the examples of the OpenAPI document. Tidy checks the tables, and
// packages/server/test/api-examples.test.ts the examples.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES_FILE } from '../packages/server/src/api/openapi/examples.ts';
import { recordExamples } from '../packages/server/test/examples/record.ts';
import { readProject } from './tidy/project.ts';
import { TABLES, withTable } from './tidy/reference.ts';
import { ROOT } from './tidy.ts';

const project = readProject(ROOT);
for (const [path, table] of Object.entries(TABLES)) {
  const file = join(ROOT, path);
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), table(project)));
}
writeFileSync(EXAMPLES_FILE, `${JSON.stringify(await recordExamples(), undefined, 2)}\n`);
