// Records the answers of the longest path: `node packages/server/test/same-answers/record.ts`. The diff shows
// whether every change is intended.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Carried, LONGEST } from './carriers.ts';
import { AREAS } from './corpus/areas.ts';
import { Golden } from './golden.ts';
import { run } from './run.ts';

const dir = await mkdtemp(join(tmpdir(), 'octavo-record-'));
const carried = await Carried.start(LONGEST, dir, () => 0);
const recorded = new Map(AREAS.map(({ name }) => [name, Golden.empty(name)]));
try {
  await run(carried, {
    moments: 'once',
    draw: () => 0,
    take: ({ area, place, request, state }, answer) =>
      recorded.get(area.name)!.record(place, request, state, answer),
  });
  for (const golden of recorded.values()) golden.write();
} finally {
  await carried.close();
  await rm(dir, { recursive: true, force: true });
}
