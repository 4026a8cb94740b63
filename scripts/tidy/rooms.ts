// Does each room of the engine import only rooms below it? A cycle between rooms would make one room of them.

import { importsOf, resolveImport } from './imports.ts';
import { type Finding, isTest, type Project } from './project.ts';

/** From the top down; rooms on one line do not import each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['index', 'api', 'engine'],
  ['search', 'write'],
  ['query'],
  ['tail'],
  ['score'],
  ['merge'],
  ['order'],
  ['catalog'],
  ['filter'],
  ['log'],
  ['segment'],
  ['mapping'],
  ['analysis'],
  ['kernels'],
  ['memory'],
  ['disk', 'thread'],
  ['json', 'errors', 'place', 'turn'],
];

const HOME = 'packages/engine/src/';

/** Imports of types only are free: they leave nothing at run time. So are tests. */
export function roomFindings(project: Project): Finding[] {
  const findings: Finding[] = [];
  for (const [path, text] of project) {
    if (!path.startsWith(HOME) || !path.endsWith('.ts') || isTest(path)) continue;
    const room = roomOf(path);
    if (floorOf(room) === -1) {
      findings.push({
        path,
        line: 1,
        message: `the room ${room} has no place in the order (scripts/tidy/rooms.ts)`,
      });
      continue;
    }
    for (const { line, specifier, typeOnly } of importsOf(text)) {
      if (typeOnly || !specifier.startsWith('.')) continue;
      const other = roomOf(resolveImport(path, specifier));
      if (other === room || room === 'index' || floorOf(other) > floorOf(room)) continue;
      // Those of the lowest floor know each other: an error may carry JSON, reading JSON may fail.
      if (floorOf(room) === FLOORS.length - 1 && floorOf(other) === FLOORS.length - 1) continue;
      if (room === 'engine' && other === 'api') continue;
      findings.push({
        path,
        line,
        message: `the room ${room} may not import ${other}, which is not below it`,
      });
    }
  }
  return findings;
}

/** The folder under `src`, or the file there without its ending. */
function roomOf(path: string): string {
  return (path.slice(HOME.length).split('/')[0] ?? '').replace(/\.ts$/, '');
}

function floorOf(room: string): number {
  return FLOORS.findIndex((floor) => floor.includes(room));
}
