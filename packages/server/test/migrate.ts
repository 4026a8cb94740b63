// A migration under writes, for every pair of stores that speak the wire: a model of the source, a writer,
// and the command as a process that can be killed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../bin/octavo.js', import.meta.url));

/** How a run ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `octavo migrate`; `until` is asked every few milliseconds, and true sends the signal. */
export async function migrate(
  flags: readonly string[],
  until?: { readonly when: (err: string) => boolean; readonly signal: 'SIGKILL' | 'SIGINT' },
): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, 'migrate', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (err += data));
  const asked = setInterval(() => {
    if (until?.when(err) !== true) return;
    clearInterval(asked);
    child.kill(until.signal);
  }, 3);
  return await new Promise((resolve) =>
    child.on('close', (code) => {
      clearInterval(asked);
      resolve({ code, out, err });
    }),
  );
}

/** Documents that a state says are at the target, by sequence numbers; -1 before it is there. */
export function progressIn(file: string): number {
  if (!existsSync(file)) return -1;
  const { collections } = JSON.parse(readFileSync(file, 'utf8')) as {
    collections: Record<string, { marks: Record<string, number> }>;
  };
  let sum = 0;
  for (const { marks } of Object.values(collections))
    for (const mark of Object.values(marks)) sum += mark + 1;
  return sum;
}

export interface Asked {
  readonly status: number;
  readonly text: string;
}

/** One request to a server of the wire. */
export async function ask(url: string, line: string, body?: string): Promise<Asked> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const type = path.includes('_bulk') ? 'application/x-ndjson' : 'application/json';
  const reply = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
  });
  return { status: reply.status, text: await reply.text() };
}

/** Somebody who writes: each call changes a few documents of the source and of the model. */
export class WritingClient {
  readonly #url: string;
  readonly #index: string;
  /** Id to source, as it should be in the end. */
  readonly model: Map<string, string>;
  #seed: number;
  #made: number;

  /** `before` is somebody who wrote to the collection where it was. */
  constructor(url: string, index: string, seed = 1, before?: WritingClient) {
    this.#url = url;
    this.#index = index;
    this.#seed = seed;
    this.model = before?.model ?? new Map();
    this.#made = before === undefined ? 0 : before.#made;
  }

  #random(below: number): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed % below;
  }

  /** New documents, `count` of them. */
  async fill(count: number): Promise<void> {
    for (let at = 0; at < count; at += 2_000) {
      const lines: string[] = [];
      for (let i = 0; i < Math.min(2_000, count - at); i++) lines.push(this.#put(`k${this.#made++}`));
      await this.#bulk(lines);
    }
  }

  /** A batch of inserts, replacements and deletions. */
  async step(): Promise<void> {
    const lines = new Map<string, string>();
    for (let i = 0; i < 20; i++) {
      const known = `k${this.#random(this.#made)}`;
      const kind = this.#random(4);
      const id = kind === 0 ? `k${this.#made++}` : known;
      if (lines.has(id)) continue;
      if (kind === 3) {
        this.model.delete(id);
        lines.set(id, `{"delete":{"_index":"${this.#index}","_id":"${id}"${routed(id)}}}\n`);
      } else lines.set(id, this.#put(id));
    }
    await this.#bulk([...lines.values()]);
  }

  /** Writes until the promise is settled. */
  async until(done: Promise<unknown>): Promise<void> {
    let over = false;
    const stop = (): void => void (over = true);
    done.then(stop, stop);
    while (!over) {
      await this.step();
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  #put(id: string): string {
    const source = `{ "n": ${9007199254740993n + BigInt(this.#random(1_000_000))}, "word":"w${this.#random(50)}\\u00e4", "f":1.50 }`;
    this.model.set(id, source);
    return `{"index":{"_index":"${this.#index}","_id":"${id}"${routed(id)}}}\n${source}\n`;
  }

  async #bulk(lines: readonly string[]): Promise<void> {
    const { status, text } = await ask(this.#url, 'POST /_bulk', lines.join(''));
    assert.equal(status, 200, text);
    assert.ok(!/"errors"\s*:\s*true/.test(text), text.slice(0, 500));
  }
}

/** Every tenth document is routed. */
function routed(id: string): string {
  return id.endsWith('7') ? ',"routing":"r7"' : '';
}

/** Every document of a collection: id to source, read by another way than the move takes. */
export async function holdings(url: string, index: string): Promise<Map<string, string>> {
  await ask(url, `POST /${index}/_refresh`);
  const found = new Map<string, string>();
  let reply = await ask(url, `POST /${index}/_search?scroll=1m`, '{"size":5000}');
  for (;;) {
    assert.equal(reply.status, 200, reply.text);
    const { _scroll_id: scroll, hits } = JSON.parse(reply.text) as {
      _scroll_id: string;
      hits: { hits: { _id: string; _routing?: string; _source: { word: string } }[] };
    };
    // Digits as they are in the text: JSON.parse would round them.
    const sources = [...reply.text.matchAll(/"_source":(\{[^}]*\})/g)].map(([, source]) => source!);
    for (const [at, { _id, _routing }] of hits.hits.entries()) {
      assert.equal(_routing, _id.endsWith('7') ? 'r7' : undefined, _id);
      assert.ok(!found.has(_id), `${_id} is there twice`);
      found.set(_id, sources[at]!);
    }
    if (hits.hits.length === 0) return found;
    reply = await ask(url, 'POST /_search/scroll', JSON.stringify({ scroll: '1m', scroll_id: scroll }));
  }
}

/** The collection holds what the model says, no more and no less. */
export async function assertHolds(
  url: string,
  index: string,
  model: ReadonlyMap<string, string>,
): Promise<void> {
  const found = await holdings(url, index);
  const missing = [...model.keys()].filter((id) => !found.has(id));
  const extra = [...found.keys()].filter((id) => !model.has(id));
  const other = [...model].filter(([id, source]) => found.has(id) && found.get(id) !== source);
  assert.deepEqual(
    { missing: missing.slice(0, 5), extra: extra.slice(0, 5), other: other.slice(0, 5) },
    {
      missing: [],
      extra: [],
      other: [],
    },
  );
}
