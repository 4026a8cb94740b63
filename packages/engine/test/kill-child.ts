// The process that kill.test.ts kills: it writes without end, and prints what it tries (`?id source`) and
// which lane's tries were acknowledged (`!lane`).

import { writeSync } from 'node:fs';
import { open, type WriteOp } from '@octavo/engine';

const [dir, round] = [process.argv[2]!, Number(process.argv[3])];
const engine = await open(dir, { tailDocs: 300, logChunkBytes: 64 << 10, ballastBytes: 1 << 16 });
if (engine.indices.info('kill') === undefined) {
  await engine.indices.create('kill', { mappings: { properties: { n: { type: 'long' } } } }).catch(() => {});
}
let n = 0;
async function writer(lane: number): Promise<void> {
  for (;;) {
    const batch = Array.from({ length: 1 + (n % 20) }, (): WriteOp => {
      n++;
      const id = `${lane}-${n % 97}`;
      if (n % 7 === 0) return { kind: 'delete', index: 'kill', id };
      const source = Buffer.from(JSON.stringify({ n, round, text: `lane ${lane} number ${n}` }));
      return { kind: 'index', index: 'kill', id, source };
    });
    const tries = batch.map(
      ({ id, kind, source }) => `?${id} ${kind === 'delete' ? '-' : Buffer.from(source!).toString()}`,
    );
    writeSync(1, `${tries.join('\n')}\n`);
    const results = await engine.write(batch);
    if (results.some((result) => result.error !== undefined)) throw new Error('a write was refused');
    writeSync(1, `!${lane}\n`);
  }
}
void Promise.all([0, 1, 2, 3].map(writer));
setInterval(() => void engine.indices.flush(['kill']).catch(() => {}), 40);
setInterval(() => void engine.indices.forceMerge(['kill'], 1).catch(() => {}), 90);
