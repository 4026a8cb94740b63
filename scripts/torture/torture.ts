// `npm run test:torture`: what Octavo promises of acknowledged data, under power loss, failing calls, damage and kills. Prints for
// each how many cases were tried, and how many lost something, were wrong without a word, or hung. Exit code 1 where any did, and
// where the control run without syncs loses nothing.
//
//   npm run test:torture                                    a few minutes
//   npm run test:torture -- --images 5000 --calls 1000 --damages 1000 --kills 50
//   npm run test:torture -- --seed 7 --only power,damages   replays

import { parseArgs } from 'node:util';
import { damageFiles } from './damages.ts';
import { failCalls, failCallsOfRecords } from './failing-calls.ts';
import { kill } from './kills.ts';
import { cutPower, recordLife } from './power-loss.ts';
import { recorderLibrary } from './recorder.ts';
import { isClean, lineOf, type Tally } from './tally.ts';

/** How much is tried. */
interface TortureOptions {
  readonly images: number;
  readonly calls: number;
  readonly damages: number;
  readonly kills: number;
  readonly seed: number;
  readonly only?: readonly string[] | undefined;
  readonly workers?: number;
}

interface TortureReport {
  readonly tallies: readonly Tally[];
  /** The control run, which must not be clean; undefined where nothing was recorded. */
  readonly control: Tally | undefined;
}

/** Runs all tortures. Without a recorder (no Linux, no C compiler) only damages are tried; `say` is told. */
export async function torture(
  { images, calls, damages, kills, seed, only, workers = 2 }: TortureOptions,
  say: (line: string) => void,
): Promise<TortureReport> {
  const tallies: Tally[] = [];
  let control: Tally | undefined;
  const runs = (name: string): boolean => only === undefined || only.includes(name);
  const end = (tally: Tally): void => {
    tallies.push(tally);
    say(lineOf(tally));
    for (const each of tally.cases.slice(0, 20)) say(`  ${each}`);
  };
  const library = recorderLibrary((reason) =>
    say(`power loss, failing calls and kills are left out: ${reason}.`),
  );
  if (library !== undefined && runs('power') && images > 0) {
    const life = await recordLife(library, seed, { runs: 3, rounds: 25, clients: 6, keyIn: 20 });
    end(await cutPower(life, { images, seed, workers }));
    control = await cutPower(life, { images: Math.min(20, images), seed, ignoresSyncs: true, workers });
    say(`${lineOf(control)}; it has to lose some`);
  }
  if (library !== undefined && runs('calls') && calls > 0) {
    end(await failCalls(library, { calls, seed, workers }));
    // Some thousand lives of a moment: not in a short form.
    if (calls >= 60) end(await failCallsOfRecords(library));
  }
  if (runs('damages') && damages > 0) end(await damageFiles({ damages, seed, workers }));
  if (library !== undefined && runs('kills') && kills > 0)
    for (const hardship of ['none', 'a clock set back', 'few descriptors', 'little memory'] as const)
      end(await kill(library, { kills: Math.ceil(kills / 4), seed, hardship }));
  return { tallies, control };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      images: { type: 'string', default: '400' },
      calls: { type: 'string', default: '60' },
      damages: { type: 'string', default: '100' },
      kills: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      only: { type: 'string' },
      workers: { type: 'string', default: '2' },
    },
  });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`seed ${values.seed}`);
  const { tallies, control } = await torture(
    {
      images: Number(values.images),
      calls: Number(values.calls),
      damages: Number(values.damages),
      kills: Number(values.kills),
      seed: Number(values.seed),
      only: values.only?.split(','),
      workers: Number(values.workers),
    },
    say,
  );
  const isSound = tallies.every(isClean) && (control === undefined || !isClean(control));
  process.exit(isSound ? 0 : 1);
}
