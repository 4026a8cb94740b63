// The packages that each package may import. npm does not enforce it (everything is hoisted to one folder), so this does:
//
//   server ──> engine ──> paging            client ──> paging, mention
//     └──────> records ─> paging, mention   paging, mention ──> nothing
//   demo ────> engine, records, mention     server ──> demo, if it is installed
//   console ─> client, mention
//   examples ─> client, mention
//
// and every import of a package must be declared in the package.json that it is under.

import { importsOf, resolveImport } from './imports.ts';
import { codeLines, type Finding, isTest, type Project } from './project.ts';

/** Packages of this repository that each one may import. Folders outside `packages/`, `apps/` and `examples/` may import all. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  paging: [],
  mention: [],
  engine: ['@octavo/paging'],
  records: ['@octavo/paging', '@octavo/mention'],
  client: ['@octavo/paging', '@octavo/mention'],
  demo: ['@octavo/engine', '@octavo/records', '@octavo/mention'],
  console: ['@octavo/client', '@octavo/mention'],
  'live-feed': ['@octavo/client', '@octavo/mention'],
  'export-job': ['@octavo/client'],
  'search-page': [],
  // The demo is an optional peer: `octavo serve --demo` imports it.
  server: ['@octavo/engine', '@octavo/records', '@octavo/paging', '@octavo/mention', '@octavo/demo'],
};

/** Runs in any runtime: may not name what only Node has. */
const ANY_RUNTIME = ['paging', 'mention', 'client'];
/** Packages that are tested against a real server. */
const TESTED_BY_SERVER =
  /^(?:(?:packages\/client|apps\/console)\/(?:test|scripts)\/|examples\/.*\.test\.ts$)/;

interface Manifest {
  readonly peerDependencies?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

export function dependencyFindings(project: Project): Finding[] {
  const findings: Finding[] = [];
  const root = manifest(project, 'package.json');
  for (const [path, text] of project) {
    // The tests of the rules hold bad examples of each.
    if (!/\.tsx?$/.test(path) || path === 'scripts/tidy.test.ts') continue;
    const [home, name] = /^(?:packages|apps|examples)\/([^/]+)/.exec(path) ?? [];
    const own = home === undefined ? undefined : manifest(project, `${home}/package.json`);
    // The documentation site is a package of its own, outside the workspaces.
    const outside = path.startsWith('docs/') ? manifest(project, 'docs/package.json') : root;
    for (const { line, specifier } of importsOf(text)) {
      const message = specifier.startsWith('.')
        ? acrossPackages(path, home, specifier)
        : specifier.startsWith('node:')
          ? runtimeOnly(path, name, specifier)
          : undeclared(path, name, specifier, own, outside);
      if (message !== undefined) findings.push({ path, line, message });
    }
    if (name !== undefined && ANY_RUNTIME.includes(name) && !isTest(path))
      findings.push(...nodeNames(path, text));
  }
  return findings;
}

function acrossPackages(path: string, home: string | undefined, specifier: string): string | undefined {
  // The tests of examples start the server of this checkout.
  if (home === undefined || (home.startsWith('examples/') && isTest(path))) return undefined;
  const target = resolveImport(path, specifier);
  if (target.startsWith(`${home}/`)) return undefined;
  return `${specifier} leaves the package: import another package by its name`;
}

function runtimeOnly(path: string, name: string | undefined, specifier: string): string | undefined {
  if (name === undefined || !ANY_RUNTIME.includes(name) || isTest(path)) return undefined;
  return `${name} runs in any runtime and may not import ${specifier}`;
}

function undeclared(
  path: string,
  name: string | undefined,
  specifier: string,
  own: Manifest | undefined,
  root: Manifest,
): string | undefined {
  const wanted = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (name === undefined) {
    if (wanted.startsWith('@octavo/') || root.devDependencies?.[wanted] !== undefined) return undefined;
    return `${wanted} is not among the devDependencies of the root`;
  }
  if (wanted === `@octavo/${name}`) return undefined;
  if (wanted.startsWith('@octavo/') && TESTED_BY_SERVER.test(path)) return undefined;
  if (wanted.startsWith('@octavo/') && ALLOWED[name]?.includes(wanted) !== true) {
    return `${name} may not import ${wanted}`;
  }
  if (own?.dependencies?.[wanted] !== undefined || own?.peerDependencies?.[wanted] !== undefined)
    return undefined;
  const forTests = own?.devDependencies?.[wanted] ?? root.devDependencies?.[wanted];
  // An app is built into another package, and an example into a page: nothing of them is installed with it.
  if ((isTest(path) || /^(?:apps|examples)\//.test(path)) && forTests !== undefined) return undefined;
  return `${wanted} is not declared in the package.json of ${name}`;
}

function nodeNames(path: string, text: string): Finding[] {
  const findings: Finding[] = [];
  for (const [at, line] of codeLines(text).entries()) {
    const found = /\b(Buffer|process)\b/.exec(line.replace(/\/\/.*$/, ''));
    if (found !== null)
      findings.push({ path, line: at + 1, message: `${found[1]} is not there in every runtime` });
  }
  return findings;
}

function manifest(project: Project, path: string): Manifest {
  return JSON.parse(project.get(path) ?? '{}') as Manifest;
}
