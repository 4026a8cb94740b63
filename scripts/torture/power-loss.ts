// Power loss: a life is recorded call by call, and the disk as it may be after a power cut at any of its moments is opened.
// All that was acknowledged before the cut must be there, and nothing that nobody sent.

import { Dice } from '../../packages/server/test/mutations.ts';
import { Checker } from './checker.ts';
import { DiskModel, type Survival } from './disk-model.ts';
import { History } from './history.ts';
import { Life, type LifeOptions, type Target } from './life.ts';
import { inFolder, type RecordedServer, startRecorded } from './recorded-server.ts';
import { readTraces, type TraceRecord } from './recorder.ts';
import { newTally, showProgress, type Tally } from './tally.ts';

/** A life with all that was done to the disk meanwhile. */
interface RecordedLife {
  readonly trace: readonly TraceRecord[];
  readonly history: History;
  readonly key: string | undefined;
}

/** Records a life of several runs of a server; each run but the last ends by a signal, every other one by SIGKILL. */
export async function recordLife(
  library: string,
  seed: number,
  life: LifeOptions & { readonly runs: number },
): Promise<RecordedLife> {
  return await inFolder(async (folder) => {
    const [root, trace] = [`${folder}/data`, `${folder}/trace`];
    const history = new History();
    const target: Target = { url: '', key: undefined };
    const dice = new Dice(seed);
    for (let run = 0; run < life.runs; run++) {
      const server = await startRecorded(root, library, { root, trace });
      if (!('url' in server)) throw new Error(`the life cannot be recorded: ${server.stderr}`);
      target.url = server.url;
      const each = new Life(history, target, dice);
      if (run === 0) await each.begin();
      await each.run(run === 0 ? life : { ...life, keyIn: -1 });
      if (each.isOver) throw new Error(`the server ended in the middle of its life: ${server.stderr()}`);
      await (server as RecordedServer).end(run % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    }
    return { trace: readTraces(trace), history, key: target.key };
  });
}

interface PowerLossOptions {
  readonly images: number;
  readonly seed: number;
  readonly ignoresSyncs?: boolean;
  /** Images that are opened at the same time. */
  readonly workers?: number;
}

/** Opens `images` disks at moments spread over the life. */
export async function cutPower(
  { trace, history, key }: RecordedLife,
  { images, seed, ignoresSyncs = false, workers = 2 }: PowerLossOptions,
): Promise<Tally> {
  const tally = newTally(ignoresSyncs ? 'power loss without syncs (control)' : 'power loss');
  const dice = new Dice(seed);
  const cuts = Array.from({ length: images }, () => 1 + dice.below(trace.length)).sort((a, b) => a - b);
  const model = new DiskModel({ ignoresSyncs });
  let applied = 0;
  let next = 0;
  /** Images are made one after the other, as the model goes on; they are opened side by side. */
  const makeNext = (dir: string): { time: bigint; what: string } | undefined => {
    if (next === images) return undefined;
    const cut = cuts[next]!;
    const survival: Survival = (['nothing', 'everything', 'some', 'some'] as const)[next % 4]!;
    while (applied < cut) model.apply(trace[applied++]!);
    next++;
    model.writeImage(dir, survival, dice);
    return {
      time: trace[cut - 1]!.time,
      what: `seed ${seed}, call ${cut} of ${trace.length}, ${survival} of what waited`,
    };
  };
  await inFolder(async (folder) => {
    await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        const checker = new Checker();
        const dir = `${folder}/${worker}`;
        for (let image = makeNext(dir); image !== undefined; image = makeNext(dir)) {
          const checked = await checker.check(dir, key);
          tally.tried++;
          if (checked.kind === 'hung') {
            tally.hung++;
            tally.cases.push(`${image.what}: hung`);
          } else if (checked.kind === 'refused') {
            tally.lost++;
            tally.cases.push(`${image.what}: does not start: ${checked.reason}`);
          } else {
            const wrong = [...checked.failures, ...history.judge(checked.observed, image.time)];
            if (wrong.length > 0) {
              tally.lost++;
              if (checked.notes.length + checked.failures.length === 0) tally.silent++;
              tally.cases.push(`${image.what}: ${wrong.length} wrong, first ${wrong[0]}`);
            }
          }
          showProgress(tally, images);
        }
        checker.close();
      }),
    );
  });
  return tally;
}
