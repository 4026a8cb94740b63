// ARCHITECTURE.md has an entry for every folder right under a package's `src`, none for folders that are gone, and stays short
// enough to be read in one sitting. An entry is a heading, or a row of a table, that names the folder in backticks.

import { foldersOf } from './links.ts';
import type { Finding, Project } from './project.ts';

const FILE = 'ARCHITECTURE.md';
const MOST_LINES = 250;

const NEEDS_ENTRY =
  /^packages\/(?:[^/]+\/src\/[^/]+|[^/]+)$|^apps\/[^/]+$|^(?:bench|conformance|docs|scripts)$/;

export function architectureFindings(project: Project): Finding[] {
  const text = project.get(FILE);
  if (text === undefined) return [{ path: FILE, line: 1, message: 'is missing' }];
  const folders = foldersOf(project);
  const findings: Finding[] = [];
  const entries = new Map<string, number>();
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const place = /^#+ (.*)$|^\| *([^|]*)\|/.exec(line);
    for (const [, name = ''] of (place?.[1] ?? place?.[2] ?? '').matchAll(/`([^`]+)`/g))
      entries.set(name.replace(/\/$/, ''), at + 1);
  }
  for (const folder of folders) {
    const short = folder.replace(/^packages\//, '');
    if (NEEDS_ENTRY.test(folder) && !entries.has(short))
      findings.push({ path: FILE, line: 1, message: `has no entry for \`${short}\`` });
  }
  for (const [name, line] of entries) {
    const isThere = [name, `packages/${name}`].some((path) => folders.has(path) || project.has(path));
    if (!isThere) findings.push({ path: FILE, line, message: `\`${name}\` is not there` });
  }
  if (lines.length > MOST_LINES + 1)
    findings.push({
      path: FILE,
      line: MOST_LINES,
      message: `${lines.length - 1} lines; ${MOST_LINES} is the most`,
    });
  return findings;
}
