// Reads data directories in processes of their own: what a damaged one does to a process, it does to that one.
//
//   run as a script: the process; imported: the pool of them

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Observed } from './history.ts';
import { observe } from './observe.ts';

/** What became of one directory. */
export type Checked =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'hung' }
  | {
      readonly kind: 'served';
      readonly observed: Observed;
      readonly notes: readonly string[];
      readonly failures: readonly string[];
    };

const HUNG_MS = 60_000;
/** Most of what a process costs is loading its modules: it loads them compiled. */
const COMPILED = new URL('../compiled.ts', import.meta.url).href;

/** One process, used for one directory after the other, and begun anew when it ends. */
export class Checker {
  #child: ChildProcess | undefined;

  async check(dir: string, key: string | undefined): Promise<Checked> {
    const child = (this.#child ??= this.#begin());
    const answer = once(child, 'message') as Promise<[Told]>;
    const end = once(child, 'exit') as Promise<[number | null]>;
    child.send({ dir, key });
    const told = await Promise.race([
      answer.then(([told]) => told),
      end.then(([code]) => ({ refused: `the process ended with ${code}: ${errorsOf(child)}` })),
      new Promise<'hung'>((resolve) => setTimeout(resolve, HUNG_MS, 'hung').unref()),
    ]);
    if (told === 'hung') {
      this.#child = undefined;
      child.kill('SIGKILL');
      return { kind: 'hung' };
    }
    if (child.exitCode !== null || child.signalCode !== null) this.#child = undefined;
    if ('refused' in told) return { kind: 'refused', reason: told.refused };
    return { kind: 'served', observed: new Map(told.observed), notes: told.notes, failures: told.failures };
  }

  close(): void {
    this.#child?.kill('SIGKILL');
  }

  #begin(): ChildProcess {
    const child = fork(fileURLToPath(import.meta.url), {
      execArgv: ['--import', COMPILED],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    ERRORS.set(child, '');
    child.stderr!.on('data', (text) => ERRORS.set(child, (errorsOf(child) + text).slice(-2000)));
    child.setMaxListeners(0);
    return child;
  }
}

const ERRORS = new WeakMap<ChildProcess, string>();

function errorsOf(child: ChildProcess): string {
  return ERRORS.get(child) ?? '';
}

type Told = { refused: string } | { observed: [string, string][]; notes: string[]; failures: string[] };

if (import.meta.main) {
  process.on('message', ({ dir, key }: { dir: string; key: string | undefined }) => {
    void observe(dir, key).then((opened) =>
      process.send!('refused' in opened ? opened : { ...opened, observed: [...opened.observed] }),
    );
  });
}
