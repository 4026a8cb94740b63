// Runs every rule of the repository that neither the compiler nor Biome checks, prints what breaks one, and ends with 1 where
// anything does. `npm run check` calls it; tidy.test.ts runs it as a test and tests it.

import { fileURLToPath } from 'node:url';
import { architectureFindings } from './tidy/architecture.ts';
import { dependencyFindings } from './tidy/dependencies.ts';
import { linkFindings } from './tidy/links.ts';
import { nameFindings } from './tidy/names.ts';
import { type Finding, type Project, readProject } from './tidy/project.ts';
import { referenceFindings } from './tidy/reference.ts';
import { roomFindings } from './tidy/rooms.ts';
import { textFindings } from './tidy/text.ts';

/** All findings, in the order of files. */
export function tidy(project: Project): Finding[] {
  return [
    ...textFindings(project),
    ...dependencyFindings(project),
    ...roomFindings(project),
    ...nameFindings(project),
    ...linkFindings(project),
    ...architectureFindings(project),
    ...referenceFindings(project),
  ].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

/** The folder of the repository. */
export const ROOT: string = fileURLToPath(new URL('..', import.meta.url));

if (import.meta.main) {
  const findings = tidy(readProject(ROOT));
  for (const { path, line, message } of findings) process.stdout.write(`${path}:${line}: ${message}\n`);
  if (findings.length > 0) process.stdout.write(`${findings.length} findings\n`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
