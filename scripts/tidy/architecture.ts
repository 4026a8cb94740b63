// Would a newcomer find each folder? ARCHITECTURE.md has a section for every one, and none for folders that are gone.

import { foldersOf } from './links.ts';
import type { Finding, Project } from './project.ts';

const FILE = 'ARCHITECTURE.md';

/** Folders that need a heading with their name in backticks: `### \`engine/src/search\`: …`. */
const NEEDS_SECTION =
  /^packages\/((engine|records|server)\/src\/[^/]+|[^/]+)$|^(bench|conformance|docs|scripts)$/;

export function architectureFindings(project: Project): Finding[] {
  const text = project.get(FILE);
  if (text === undefined) return [{ path: FILE, line: 1, message: 'is missing' }];
  const folders = foldersOf(project);
  const findings: Finding[] = [];
  const named = new Map<string, number>();
  for (const [at, line] of text.split('\n').entries()) {
    if (!line.startsWith('#')) continue;
    for (const [, name = ''] of line.matchAll(/`([^`]+)`/g)) named.set(name.replace(/\/$/, ''), at + 1);
  }
  for (const folder of folders) {
    const short = folder.replace(/^packages\//, '');
    if (NEEDS_SECTION.test(folder) && !named.has(short)) {
      findings.push({ path: FILE, line: 1, message: `has no section for \`${short}\`` });
    }
  }
  for (const [name, line] of named) {
    if (
      !folders.has(name) &&
      !folders.has(`packages/${name}`) &&
      !project.has(name) &&
      !project.has(`packages/${name}`)
    ) {
      findings.push({ path: FILE, line, message: `\`${name}\` is not there` });
    }
  }
  return findings;
}
