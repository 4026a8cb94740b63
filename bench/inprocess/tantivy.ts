// Tantivy as a peer: a cargo project (bench/peers/tantivy) driven over stdin. It is built if needed, gets the
// same documents in the same segments, and replies to each line with a line.

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { draft, isDeleted, spell } from '../corpus/corpus.ts';
import { type TextQuery, wordsOf } from '../corpus/queries.ts';

const PROJECT = fileURLToPath(new URL('../peers/tantivy', import.meta.url));

/** The ten best hits of a query. */
export interface TantivyHits {
  readonly ids: readonly string[];
  readonly scores: readonly number[];
  readonly total: number;
}

/** The timed work: the ten best; with an exact count in one pass or two; or with the documents read. */
export type TantivyMode = 'top' | 'exact' | 'two' | 'fetch';

/** The path of the program, built if needed (some minutes); undefined if cargo is missing. */
export function buildTantivy(): string | undefined {
  const target = process.env['CARGO_TARGET_DIR'] ?? join(PROJECT, 'target');
  const { status } = spawnSync('cargo', ['build', '--release', '--quiet'], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? join(target, 'release', 'tantivy-peer') : undefined;
}

/** Builds the index in `dir` if it is missing: a commit per segment size, then the deletions. */
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

/** A Tantivy process with an index and loaded queries. */
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

  answers(): Promise<TantivyHits[]> {
    return this.#ask({ ask: 'answers' });
  }

  /** Microseconds of queries from … to-1, each repeated `repeat` times. */
  time(mode: TantivyMode, repeat: number, from: number, to: number): Promise<number[]> {
    return this.#ask({ ask: 'time', mode, repeat, from, to });
  }

  close(): void {
    this.#child.stdin.end();
  }
}
