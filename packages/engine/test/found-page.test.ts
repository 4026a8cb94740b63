// A page read in place shows what its hits show as objects: hits prefetched or not, in any order, with
// sources in memory and on the disk, before and after a restart.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type Engine,
  JsonWriter,
  open,
  type SearchPage,
  type SearchRequest,
  type SortPrinter,
  type SortValue,
} from '../src/index.ts';

const DOCS = 700;
const encoder = new TextEncoder();
const words = ['plain', 'qu"oted', 'ünïcode', 'back\\slash', ''];

async function load(engine: Engine): Promise<void> {
  await engine.indices.create('p', {
    mappings: { properties: { k: { type: 'keyword' }, n: { type: 'long' } } },
  });
  for (let from = 0; from < DOCS; from += 100) {
    const ops = Array.from({ length: 100 }, (_, i) => {
      const n = from + i;
      const doc = {
        k: words[n % 5],
        ...(n % 7 === 0 ? {} : { n: (n * 37) % 90 }),
        filling: 'x'.repeat((n * 13) % 400),
      };
      return {
        kind: 'index',
        index: 'p',
        id: `${words[n % 3]}${n}`,
        source: encoder.encode(JSON.stringify(doc)),
      } as const;
    });
    await engine.write(ops);
    if (from === 300) await engine.indices.flush(['p']);
  }
  await engine.write(
    [5, 150, 444].map((n) => ({ kind: 'delete', index: 'p', id: `${words[n % 3]}${n}` }) as const),
  );
}

function shown(value: SortValue): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** A space before each value. */
const spaced: SortPrinter = {
  put(values, out) {
    for (let e = 0; e < values.length; e++) {
      out.ascii(' ');
      if (!values.putText(e, out)) out.text(shown(values.value(e)));
    }
  },
};

function printed(page: SearchPage, order: readonly number[]): string[] {
  const texts: string[] = [];
  for (const hit of order) {
    const out = new JsonWriter(Buffer.alloc(16), 0);
    page.putId(hit, out);
    out.ascii(' ');
    page.putSource(hit, out);
    if (page.isSorted) page.putSort(hit, spaced, out);
    texts[hit] = out.bytes.toString('utf8', 0, out.at);
  }
  return texts;
}

async function compare(engine: Engine): Promise<void> {
  for (const sort of [[{ n: 'desc' }, { k: 'asc' }], [{ k: 'desc' }, { n: 'asc' }], ['_doc']]) {
    const request: SearchRequest = { indices: ['p'], sort: sort as never, size: 100, shape: {} };
    const all = Array.from({ length: 100 }, (_, hit) => hit);
    for (const from of [0, 40, 600]) {
      const { hits } = await engine.search({ ...request, from });
      const due = hits.map(({ id, source, sort: values }) =>
        [JSON.stringify(id), new TextDecoder().decode(source), ...values!.map(shown)].join(' '),
      );
      const places = all.slice(0, hits.length);
      for (const prefetched of [
        [],
        [[0, hits.length]],
        [[10, 30]],
        [
          [0, 32],
          [32, 64],
        ],
      ]) {
        await engine.searchPage({ ...request, from }, (page) => {
          for (const [start, end] of prefetched) page.prefetch(start!, end!);
          assert.deepEqual(printed(page, places), due);
          assert.deepEqual(printed(page, places.toReversed()), due);
        });
      }
      // Two pages at a time do not take each other's places.
      await engine.searchPage({ ...request, from }, (one) => {
        one.prefetch(0, 32);
        const other = engine.searchPage({ ...request, from: 3 }, (page) => page.prefetch(0, 32));
        assert.deepEqual(printed(one, places), due);
        return other;
      });
      // A reader in steps: other searches print their pages before it goes on.
      const pages: string[][] = [];
      await engine.searchPage({ ...request, from }, function* (page) {
        for (const place of places) {
          pages.push(printed(page, [place]));
          yield;
          engine.searchPage({ ...request, from: 3 }, (other) => other.prefetch(0, 32));
        }
      });
      assert.deepEqual(pages.flat(), due);
    }
  }
}

for (const logCacheBytes of [0, 70_000, 1 << 24]) {
  test(`a page where it lies, with ${logCacheBytes} bytes of the log in memory`, {
    timeout: 900_000,
  }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'octavo-in-place-'));
    try {
      for (let start = 0; start < 2; start++) {
        const engine = await open(dir, { ballastBytes: 0, logCacheBytes });
        try {
          if (start === 0) await load(engine);
          await compare(engine);
        } finally {
          await engine.close();
        }
      }
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
}
