// How is Tantivy asked? A cargo project (bench/peers/tantivy) over stdin: it is built where it is not yet, given the
// same documents in the same segments, and answers a line with a line.

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { draft, isDeleted, spell } from '../corpus.ts';
import { type TextQuery, wordsOf } from '../queries.ts';

const PROJECT = fileURLToPath(new URL('../peers/tantivy', import.meta.url));

/** The ten best of a query. */
export interface Answer {
  readonly ids: readonly string[];
  readonly scores: readonly number[];
  readonly total: number;
}

/** What is timed: the ten best; with all matches counted, in one pass or in two; and with the documents read. */
export type Mode = 'top' | 'exact' | 'two' | 'fetch';

/** Path of the program, built if need be; undefined where cargo is missing. Some minutes the first time. */
export function buildTantivy(): string | undefined {
  const target = process.env['CARGO_TARGET_DIR'] ?? join(PROJECT, 'target');
  const { status } = spawnSync('cargo', ['build', '--release', '--quiet'], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? join(target, 'release', 'tantivy-peer') : undefined;
}

/** Makes the index in `dir` unless it is there: a commit for each of the sizes, then the deaths. */
export async function indexTantivy(program: string, dir: string, sizes: readonly number[]): Promise<void> {
  if (existsSync(join(dir, 'meta.json'))) return;
  rmSync(dir, { recursive: true, force: true });
  const child = spawn(program, ['index', dir], { stdio: ['pipe', 'inherit', 'inherit'] });
  const write = async (line: object): Promise<void> => {
    if (!child.stdin.write(`${JSON.stringify(line)}\n`)) {
      await new Promise((resolve) => child.stdin.once('drain', resolve));
    }
  };
  let i = 0;
  for (const size of sizes) {
    for (const end = i + size; i < end; i++) {
      const { id, body } = spell(draft(i));
      await write({ id, body });
    }
    await write({ commit: true });
  }
  for (let dead = 0; dead < i; dead++) if (isDeleted(dead)) await write({ delete: draft(dead).id });
  child.stdin.end();
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`tantivy-peer index ended with ${code}`);
}

/** Tantivy over an index, with queries loaded. */
export class Tantivy {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string, dir: string) {
    this.#child = spawn(program, ['serve', dir]);
    this.#child.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async #ask<T>(question: object): Promise<T> {
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('tantivy-peer has ended');
    return JSON.parse(value) as T;
  }

  load(queries: readonly TextQuery[]): Promise<{ docs: number; segments: number; bytes: number }> {
    return this.#ask({
      ask: 'load',
      queries: queries.map((query) => ({ kind: query.kind, words: wordsOf(query) })),
    });
  }

  answers(): Promise<Answer[]> {
    return this.#ask({ ask: 'answers' });
  }

  /** Microseconds of queries from … to-1, each asked `repeat` times. */
  time(mode: Mode, repeat: number, from: number, to: number): Promise<number[]> {
    return this.#ask({ ask: 'time', mode, repeat, from, to });
  }

  close(): void {
    this.#child.stdin.end();
  }
}
