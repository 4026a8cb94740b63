// Links between documents lead somewhere: relative ones to a file or folder, and with # to a heading in it.

import { resolveImport } from './imports.ts';
import type { Finding, Project } from './project.ts';

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;

export function linkFindings(project: Project): Finding[] {
  const findings: Finding[] = [];
  const folders = foldersOf(project);
  for (const [path, text] of project) {
    if (!path.endsWith('.md')) continue;
    for (const [at, line] of withoutCode(text).entries()) {
      for (const [, link = ''] of line.matchAll(LINK)) {
        if (/^[a-z]+:/i.test(link)) continue;
        const [file = '', anchor] = link.split('#', 2);
        const target = file === '' ? path : resolveImport(path, file).replace(/\/$/, '');
        const add = (message: string): void => void findings.push({ path, line: at + 1, message });
        if (!project.has(target) && !folders.has(target) && !PLAIN_FILES.has(target) && !PICTURE.test(target))
          add(`${link} leads nowhere`);
        else if (anchor !== undefined && !anchorsOf(project.get(target) ?? '').has(anchor)) {
          add(`${link}: there is no such heading`);
        }
      }
    }
  }
  return findings;
}

/** Files that are linked to but have no ending that the project reads. */
const PLAIN_FILES: ReadonlySet<string> = new Set([
  'deploy/octavo.service',
  'LICENSE',
  '.ci/run',
  'docs/plots/depth.svg',
  'docs/plots/text.svg',
  'docs/plots/growth.svg',
]);

/** Pictures of the console, by `apps/console/scripts/screenshots.ts`; the build of the site fails where one is missing. */
const PICTURE = /^docs\/images\/console-[a-z-]+\.png$/;

/** The lines, those within ``` fences emptied. */
function withoutCode(text: string): string[] {
  let fenced = false;
  return text.split('\n').map((line) => {
    if (line.trimStart().startsWith('```')) {
      fenced = !fenced;
      return '';
    }
    return fenced ? '' : line;
  });
}

/** Headings as GitHub makes anchors of them. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of withoutCode(markdown)) {
    const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
    if (heading === undefined) continue;
    anchors.add(
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    );
  }
  return anchors;
}

/** All folders that hold a file of the project, at any depth. */
export function foldersOf(project: Project): Set<string> {
  const folders = new Set<string>();
  for (const path of project.keys()) {
    const parts = path.split('/');
    for (let n = 1; n < parts.length; n++) folders.add(parts.slice(0, n).join('/'));
  }
  return folders;
}
