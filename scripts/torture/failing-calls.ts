// Failing calls: the n-th call that changes the disk fails, for many n and several errors. The server may refuse, or end; it may
// not acknowledge what is not there, nor show what it refused, before or after it is started again.

import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { Dice } from '../../packages/server/test/mutations.ts';
import { Checker } from './checker.ts';
import { failRecords } from './failing-records.ts';
import { History } from './history.ts';
import { Life, type Target } from './life.ts';
import { readAll } from './observe.ts';
import { inFolder, startRecorded } from './recorded-server.ts';
import { newTally, showProgress, type Tally } from './tally.ts';

const { EIO, ENOSPC, EMFILE } = constants.errno;
const ERRORS = [EIO, ENOSPC, EMFILE] as const;

interface FailingCallsOptions {
  readonly calls: number;
  readonly seed: number;
  readonly workers?: number;
}

/** Lives `calls` short lives, in each of which another call fails. */
export async function failCalls(
  library: string,
  { calls, seed, workers = 2 }: FailingCallsOptions,
): Promise<Tally> {
  const tally = newTally('failing calls');
  const most = await countCalls(library, seed);
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const checker = new Checker();
      for (let n = next++; n < calls; n = next++) {
        // Early calls are those of the start: all of them, then spread over the rest.
        const failAt = 1 + Math.floor((n / calls) * most);
        const failErrno = ERRORS[n % ERRORS.length]!;
        const what = `seed ${seed + n}, call ${failAt} of some ${most} fails with errno ${failErrno}`;
        await inFolder((dir) =>
          failOne(dir, library, { failAt, failErrno, seed: seed + n, what }, checker, tally),
        );
        showProgress(tally, calls);
      }
      checker.close();
    }),
  );
  return tally;
}

/** Every call of a life of the records fails, with every error, alone and for good. */
export async function failCallsOfRecords(library: string): Promise<Tally> {
  const tally = newTally('failing calls of the records');
  for (const failErrno of ERRORS)
    for (const forGood of [false, true]) {
      const { tried, wrong } = await failRecords(library, { failErrno, forGood, stride: 1 });
      tally.tried += tried;
      for (const each of wrong)
        note(tally, 'lost', `${each} (errno ${failErrno}${forGood ? ', for good' : ''})`);
    }
  return tally;
}

interface Case {
  readonly failAt: number;
  readonly failErrno: number;
  readonly seed: number;
  readonly what: string;
}

const SHORT = { rounds: 12, clients: 3 };

async function failOne(
  folder: string,
  library: string,
  { failAt, failErrno, seed, what }: Case,
  checker: Checker,
  tally: Tally,
): Promise<void> {
  tally.tried++;
  const root = `${folder}/data`;
  const history = new History();
  const target: Target = { url: '', key: undefined };
  const server = await startRecorded(root, library, { root, failAt, failErrno });
  let said = 'stderr' in server && typeof server.stderr === 'string' ? server.stderr : '';
  if ('url' in server) {
    target.url = server.url;
    const life = new Life(history, target, new Dice(seed));
    try {
      if (await life.begin()) await life.run(SHORT);
      // What is there now is what was acknowledged, whatever the call was.
      if (!life.isOver) {
        const { observed, failures } = await readAll(server.url, target.key);
        const wrong = failures.length > 0 ? [] : history.judge(observed);
        if (wrong.length > 0) note(tally, 'silent', `${what}: while it runs ${wrong[0]}`);
      }
    } catch (error) {
      // A server that ends while it is read is judged by what it left, like one that ended before.
      if (!(error instanceof TypeError && error.message === 'fetch failed'))
        note(
          tally,
          error instanceof Error && / hangs$/.test(error.message) ? 'hung' : 'silent',
          `${what}: ${error}`,
        );
    }
    if ((await server.end()) === 'hung') note(tally, 'hung', `${what}: does not end`);
    said = server.stderr();
  } else if (server.code === 'hung') note(tally, 'hung', `${what}: does not start`);
  const checked = await checker.check(root, target.key);
  if (checked.kind === 'hung') note(tally, 'hung', `${what}: hangs when started again`);
  else if (checked.kind === 'refused')
    note(tally, 'lost', `${what}: does not start again: ${checked.reason}`);
  else {
    const wrong = [...checked.failures, ...history.judge(checked.observed)];
    if (wrong.length > 0) note(tally, 'lost', `${what}: ${wrong[0]} (it said: ${said.slice(0, 200)})`);
  }
}

function note(tally: Tally, as: 'lost' | 'silent' | 'hung', what: string): void {
  tally[as]++;
  tally.cases.push(what);
}

/** How many changing calls a short life makes. */
async function countCalls(library: string, seed: number): Promise<number> {
  return await inFolder(async (folder) => {
    const [root, calls] = [`${folder}/data`, `${folder}/calls`];
    writeFileSync(calls, Buffer.alloc(8));
    const server = await startRecorded(root, library, { root, calls });
    if (!('url' in server)) throw new Error(`the server does not start: ${server.stderr}`);
    const target: Target = { url: server.url, key: undefined };
    const life = new Life(new History(), target, new Dice(seed));
    await life.begin();
    await life.run(SHORT);
    await server.end();
    return Number(readFileSync(calls).readBigInt64LE(0));
  });
}
