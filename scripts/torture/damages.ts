// Damages: one file of a directory at rest is damaged, in every kind of file and in every way that files are damaged. Data may be
// gone then, or be older, but never without a word: a start that refuses, a note of the start, an answer that is an error, or a
// finding of `octavo doctor`. Content that nobody has sent is silent whatever else was said.

import { spawn } from 'node:child_process';
import {
  closeSync,
  cpSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Dice } from '../../packages/server/test/mutations.ts';
import { Checker } from './checker.ts';
import { History } from './history.ts';
import { Life, type Target } from './life.ts';
import { inFolder, startRecorded } from './recorded-server.ts';
import { newTally, showProgress, type Tally } from './tally.ts';

const BIN = fileURLToPath(new URL('../../packages/server/bin/octavo.js', import.meta.url));

/** What can happen to the bytes of a file. */
const DAMAGES = {
  'a flipped bit': (file: string, dice: Dice) =>
    change(file, (bytes) => {
      const at = dice.below(bytes.length);
      bytes[at] = bytes[at]! ^ (1 << dice.below(8));
    }),
  'a page of zeros': (file: string, dice: Dice) =>
    change(file, (bytes) => bytes.fill(0, ...pageOf(bytes, dice))),
  'a page of noise': (file: string, dice: Dice) =>
    change(file, (bytes) => {
      const [from, to] = pageOf(bytes, dice);
      for (let at = from; at < to; at++) bytes[at] = dice.below(256);
    }),
  'a shorter file': (file: string, dice: Dice) => {
    const fd = openSync(file, 'r+');
    ftruncateSync(fd, dice.below(Math.max(1, statSync(file).size)));
    closeSync(fd);
  },
  'no file': (file: string) => rmSync(file),
  'an empty file': (file: string) => writeFileSync(file, ''),
} as const;

interface DamagesOptions {
  readonly damages: number;
  readonly seed: number;
  readonly workers?: number;
}

/** Damages `damages` copies of a directory, each in another place. */
export async function damageFiles({ damages, seed, workers = 2 }: DamagesOptions): Promise<Tally> {
  const tally = newTally('damages');
  await inFolder(async (folder) => {
    const whole = `${folder}/whole`;
    const history = new History();
    const target: Target = { url: '', key: undefined };
    await live(whole, history, target, seed);
    const dice = new Dice(seed);
    const files = kindsOf(whole);
    const ways = Object.entries(DAMAGES);
    let next = 0;
    await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        const checker = new Checker();
        const dir = `${folder}/${worker}`;
        for (let n = next++; n < damages; n = next++) {
          const [name, damage] = ways[n % ways.length]!;
          const kind = files[Math.floor(n / ways.length) % files.length]!;
          const file = dice.of(kind);
          rmSync(dir, { recursive: true, force: true });
          cpSync(whole, dir, { recursive: true });
          damage(join(dir, file), dice);
          tally.tried++;
          await judgeDamage(dir, `${name} in ${file} (seed ${seed}, ${n})`, history, target, checker, tally);
          showProgress(tally, damages);
        }
        checker.close();
      }),
    );
  });
  return tally;
}

async function judgeDamage(
  dir: string,
  what: string,
  history: History,
  { key }: Target,
  checker: Checker,
  tally: Tally,
): Promise<void> {
  // The doctor gets a copy, because opening repairs, and is asked only where nothing else says what is wrong.
  const copy = `${dir}-doctor`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(dir, copy, { recursive: true });
  const checked = await checker.check(dir, key);
  if (checked.kind === 'hung') {
    tally.hung++;
    tally.cases.push(`${what}: hung`);
    return;
  }
  if (checked.kind === 'refused') return;
  const wrong = history.judge(checked.observed);
  if (wrong.length === 0) return;
  const isSaid = checked.notes.length + checked.failures.length > 0 || !(await isSound(copy));
  if (!isSaid || history.neverSent(checked.observed).length > 0) {
    tally.silent++;
    tally.cases.push(
      `${what}: ${wrong.length} wrong, first ${wrong[0]}${isSaid ? '' : ', and nothing says so'}`,
    );
  }
}

/** True where the doctor finds nothing. */
async function isSound(dir: string): Promise<boolean> {
  const child = spawn(process.execPath, [BIN, 'doctor', dir, '--quiet'], { stdio: 'ignore' });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return code === 0;
}

/** A directory at rest behind a killed server: the records' log has not been moved, tails are in the log only. */
async function live(dir: string, history: History, target: Target, seed: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const server = await startRecorded(dir, undefined);
    if (!('url' in server)) throw new Error(`the server does not start: ${server.stderr}`);
    target.url = server.url;
    const life = new Life(history, target, new Dice(seed));
    await life.begin();
    await life.run({ rounds: 40, clients: 4, ...(signal === 'SIGTERM' && { keyIn: 30 }) });
    await server.end(signal);
  }
}

/** The files of a directory, those of one kind together: segments are many, the catalog is one. */
function kindsOf(dir: string): string[][] {
  const kinds = new Map<string, string[]>();
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (!statSync(join(dir, path)).isFile() || /(^|\/)(ballast|.*lock.*)$/.test(path)) continue;
    const kind = path.replace(/[0-9a-f]{4,}|\d+/g, '#');
    kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
  }
  return [...kinds.values()];
}

function change(file: string, how: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  if (bytes.length > 0) how(bytes);
  writeFileSync(file, bytes);
}

function pageOf(bytes: Buffer, dice: Dice): [from: number, to: number] {
  const from = dice.below(Math.ceil(bytes.length / 4096)) * 4096;
  return [from, Math.min(bytes.length, from + 4096)];
}
