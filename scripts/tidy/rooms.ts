// Imports point one way. Each room (a folder or file right under `src`) of a large package imports only rooms on lower floors,
// and in every package no two files, and no two neighbours in a folder, import each other, directly or around a ring. Imports of
// types count: a reader follows them too. Tests are free.

import { importsOf, resolveImport } from './imports.ts';
import { type Finding, isTest, type Project } from './project.ts';

/** The rooms of each large package from the top down. Rooms on one floor do not import each other. */
const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  engine: [
    ['index'],
    ['engine'],
    ['search', 'write'],
    ['highlight', 'suggest'],
    ['aggregations'],
    ['query'],
    ['nested'],
    ['scripts'],
    ['tail'],
    ['score'],
    ['merge'],
    ['order'],
    ['catalog'],
    ['log'],
    ['segment'],
    ['mapping'],
    ['analysis'],
    ['patterns'],
    ['kernels'],
    ['memory'],
    ['disk', 'thread'],
    ['api'],
    ['place'],
    ['json'],
    ['errors', 'turn'],
  ],
  server: [
    ['index', 'cli'],
    ['serve'],
    ['fastify-server'],
    ['serve-options'],
    ['answer-notes'],
    ['threads'],
    ['proxy', 'api', 'console'],
    ['events'],
    ['wire', 'listening'],
    ['observe'],
    ['access'],
    ['engine-limits', 'records-notes', 'backup'],
    ['http', 'json'],
    ['patterns'],
    ['errors'],
    ['limits', 'sync-first'],
  ],
  console: [
    ['main'],
    ['app'],
    ['accounts', 'feeds', 'query', 'server'],
    ['list'],
    ['document'],
    ['json'],
    ['frame', 'style'],
  ],
  records: [
    ['index', 'thread'],
    ['open', 'operations'],
    ['store'],
    ['chat', 'feed', 'keys', 'webhooks', 'users'],
    ['outbox', 'idempotency'],
    ['ledger', 'entries'],
    ['ids'],
    ['contracts'],
    ['schema'],
  ],
};

/** The imports of one production file, by the paths they lead to. */
interface Source {
  readonly path: string;
  readonly imports: readonly { readonly path: string; readonly line: number }[];
}

export function roomFindings(project: Project): Finding[] {
  const findings: Finding[] = [];
  for (const [name, sources] of packagesOf(project)) {
    const floors = FLOORS[name];
    if (floors !== undefined) findings.push(...floorFindings(floors, sources));
    findings.push(...ringFindings(sources));
  }
  return findings;
}

function packagesOf(project: Project): Map<string, Source[]> {
  const packages = new Map<string, Source[]>();
  for (const [path, text] of project) {
    const name = /^(?:packages|apps)\/([^/]+)\/src\/.*\.tsx?$/.exec(path)?.[1];
    if (name === undefined || isTest(path) || path.includes('/assembly/')) continue;
    const imports = importsOf(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier, line }) => ({ path: resolveImport(path, specifier), line }));
    packages.set(name, [...(packages.get(name) ?? []), { path, imports }]);
  }
  return packages;
}

function floorFindings(floors: readonly (readonly string[])[], sources: readonly Source[]): Finding[] {
  const findings: Finding[] = [];
  const home = /^(?:packages|apps)\/[^/]+\/src\//.exec(sources[0]?.path ?? '')?.[0] ?? '';
  const roomOf = (path: string): string =>
    (path.slice(home.length).split('/')[0] ?? '').replace(/\.tsx?$/, '');
  const floorOf = (room: string): number => floors.findIndex((floor) => floor.includes(room));
  for (const { path, imports } of sources) {
    const room = roomOf(path);
    if (floorOf(room) === -1) {
      const message = `the room ${room} has no floor in scripts/tidy/rooms.ts`;
      findings.push({ path, line: 1, message });
      continue;
    }
    for (const { path: target, line } of imports) {
      const other = roomOf(target);
      if (other === room || floorOf(other) > floorOf(room)) continue;
      const message = `the room ${room} may not import ${other}, which is not below it`;
      findings.push({ path, line, message });
    }
  }
  return findings;
}

/** One finding for each ring of files, and for each ring of neighbours in a folder. */
function ringFindings(sources: readonly Source[]): Finding[] {
  const findings: Finding[] = [];
  const folders = new Set<string>();
  for (const { path } of sources) {
    const parts = path.split('/');
    for (let depth = 3; depth < parts.length; depth++) folders.add(parts.slice(0, depth).join('/'));
  }
  const files = new Map(sources.map(({ path, imports }) => [path, imports.map(({ path }) => path)]));
  for (const ring of ringsIn(files)) findings.push(...findingOf(ring, 'files'));
  for (const folder of folders) {
    const childOf = (path: string): string | undefined =>
      path.startsWith(`${folder}/`) ? `${folder}/${path.slice(folder.length + 1).split('/')[0]}` : undefined;
    const neighbours = new Map<string, string[]>();
    for (const [path, targets] of files) {
      const child = childOf(path);
      if (child === undefined) continue;
      const others = targets.map(childOf).filter((other) => other !== undefined && other !== child);
      neighbours.set(child, [...(neighbours.get(child) ?? []), ...(others as string[])]);
    }
    for (const ring of ringsIn(neighbours))
      if (ring.some((child) => !/\.tsx?$/.test(child))) findings.push(...findingOf(ring, 'neighbours'));
  }
  return findings;
}

function findingOf(ring: readonly string[], what: string): Finding[] {
  const [path = ''] = ring;
  return [{ path, line: 1, message: `${what} that import each other: ${[...ring].sort().join(', ')}` }];
}

/** The strongly connected parts of more than one node (Tarjan 1972). */
function ringsIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const rings: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const at = index.size;
    let least = at;
    index.set(node, at);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) least = Math.min(least, visit(next));
      else if (stack.includes(next)) least = Math.min(least, index.get(next) ?? at);
    }
    low.set(node, least);
    if (least === at) {
      const ring = stack.splice(stack.indexOf(node));
      if (ring.length > 1) rings.push(ring);
    }
    return least;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return rings;
}
