// Kills: a server under mixed load is killed again and again, with the clock set back between runs, few descriptors, or little
// memory. What was acknowledged is there after each kill.

import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../../packages/server/test/mutations.ts';
import { History } from './history.ts';
import { Life, type Target } from './life.ts';
import { readAll } from './observe.ts';
import { inFolder, startRecorded } from './recorded-server.ts';
import { newTally, showProgress, type Tally } from './tally.ts';

/** What makes a run harder than a kill alone. */
type Hardship = 'none' | 'a clock set back' | 'few descriptors' | 'little memory';

const HOUR = 3_600_000_000_000n;

interface KillsOptions {
  readonly kills: number;
  readonly seed: number;
  readonly hardship: Hardship;
}

export async function kill(library: string, { kills, seed, hardship }: KillsOptions): Promise<Tally> {
  const tally = newTally(hardship === 'none' ? 'kills' : `kills with ${hardship}`);
  await inFolder(async (folder) => {
    const [root, clock] = [`${folder}/data`, `${folder}/clock`];
    const history = new History();
    const target: Target = { url: '', key: undefined };
    const dice = new Dice(seed);
    for (let n = 0; n < kills; n++) {
      const offset = Buffer.alloc(8);
      if (hardship === 'a clock set back') offset.writeBigInt64LE(BigInt(-n) * HOUR);
      writeFileSync(clock, offset);
      const flags = hardship === 'little memory' ? ['--memory', '64m'] : [];
      const before = hardship === 'few descriptors' ? { before: 'ulimit -n 256' } : {};
      const server = await startRecorded(root, library, { root, clock }, flags, before);
      const what = `seed ${seed}, run ${n}`;
      if (!('url' in server)) {
        tally[server.code === 'hung' ? 'hung' : 'lost']++;
        tally.cases.push(`${what}: does not start: ${server.stderr}`);
        return;
      }
      target.url = server.url;
      tally.tried++;
      const { observed, failures } = await readAll(server.url, target.key);
      const wrong = [...failures, ...history.judge(observed)];
      if (wrong.length > 0) {
        tally.lost++;
        if (failures.length === 0 && server.stderr() === '') tally.silent++;
        tally.cases.push(`${what}: ${wrong.length} wrong, first ${wrong[0]}`);
        return;
      }
      const life = new Life(history, target, dice);
      const living = (async () => {
        if (n === 0) await life.begin();
        await life.run({ rounds: 1_000_000, clients: 6, ...(n === 1 && { keyIn: 5 }) });
      })();
      living.catch(() => {});
      await sleep(300 + dice.below(1_500));
      await server.end('SIGKILL');
      await living.catch((error: unknown) => {
        tally.hung++;
        tally.cases.push(`${what}: ${error}`);
      });
      showProgress(tally, kills);
    }
  });
  return tally;
}
