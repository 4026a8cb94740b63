// A page that is requested repeatedly shows the same sort values from the cache as from a lookup. The pages are spread over
// lists in several orders and segments. Meanwhile, documents are overwritten, deleted and merged. The expected values come from
// the uncached path.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type Engine,
  JsonWriter,
  open,
  type SearchRequest,
  type SortPrinter,
  type SortValue,
  type WriteOp,
} from '../src/index.ts';

const DOCS = 9_000;
const PAGE = 20;
const PAGES = 45;
const ROUNDS = 14;
/** What is made behind the scenes has so many at most, on a machine that does other things. */
const MOST_ROUNDS = 1_000;
const encoder = new TextEncoder();
const words = ['plain', 'qu"oted', 'ünïcode', 'back\\slash', ''];

const SORTS: readonly unknown[][] = [
  [{ n: 'desc' }, { k: 'asc' }],
  [{ k: 'desc' }, { _id: 'asc' }],
  [{ day: { order: 'asc', format: 'yyyy-MM-dd' } }, { d: { order: 'desc', missing: 7.5 } }],
  [{ day: { order: 'asc' } }, { d: { order: 'desc', missing: 7.5 } }],
  [{ flag: 'desc' }, { ip: { order: 'asc', missing: '_first' } }, '_id'],
  ['_doc'],
];

function shown(value: SortValue): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function put(n: number, version: number): WriteOp {
  const doc = {
    ...(n % 7 === 0 ? {} : { n: (n * 37 + version) % 900 }),
    ...(n % 11 === 0 ? {} : { k: `${words[n % 5]}${(n + version) % 200}` }),
    day: 1_700_000_000_000 + n * 7_000_000 + version,
    ...(n % 3 === 0 ? {} : { d: (n % 1_000) / 8 }),
    flag: n % 2 === 0,
    ...(n % 13 === 0 ? {} : { ip: `10.0.${n % 7}.${n % 250}` }),
  };
  return {
    kind: 'index',
    index: 's',
    id: `${words[n % 3]}${n}`,
    source: encoder.encode(JSON.stringify(doc)),
  };
}

/** Prints values as JSON, and counts. */
class Counting implements SortPrinter {
  readonly key = 'counting';
  printed = 0;
  put(values: Parameters<SortPrinter['put']>[0], out: JsonWriter): void {
    this.printed++;
    for (let e = 0; e < values.length; e++) {
      out.ascii(' ');
      if (!values.putText(e, out)) out.text(shown(values.value(e)));
    }
  }
}

/**
 * Pages all over a list, several times: all show what the long way does. Gives how many hits were printed anew in the last
 * round, which is the one with fewer than `isKept`.
 */
async function walk(
  engine: Engine,
  sort: readonly unknown[],
  isKept: number,
  indices: readonly string[],
  every = 190,
): Promise<number> {
  const shape = {};
  const printer = new Counting();
  const request = (from: number): SearchRequest => {
    return { indices, sort: sort as never, size: PAGE, from, shape };
  };
  const offsets = Array.from({ length: PAGES }, (_, i) => i * every);
  const due = new Map<number, string[]>();
  for (const from of offsets) {
    const { hits } = await engine.search(request(from));
    due.set(
      from,
      hits.map(({ sort: values }) => values!.map((value) => ` ${shown(value)}`).join('')),
    );
  }
  let anew = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS || (anew >= isKept && round < MOST_ROUNDS); round++) {
    const before = printer.printed;
    for (const from of offsets) {
      const texts = await engine.searchPage(request(from), (page) => {
        page.prefetch(0, page.count, printer);
        return Array.from({ length: page.count }, (_, hit) => {
          const out = new JsonWriter(Buffer.alloc(16), 0);
          page.putSort(hit, printer, out);
          return out.bytes.toString('utf8', 0, out.at);
        });
      });
      assert.deepEqual(texts, due.get(from), `${JSON.stringify(sort)} from ${from}, round ${round}`);
    }
    anew = printer.printed - before;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return anew;
}

test('sort values that are kept as they were printed are those of the documents', {
  timeout: 600_000,
}, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-sort-texts-'));
  const engine = await open(dir, { ballastBytes: 0 });
  const properties = {
    n: { type: 'long' },
    k: { type: 'keyword' },
    day: { type: 'date' },
    d: { type: 'double' },
    flag: { type: 'boolean' },
    ip: { type: 'ip' },
  };
  try {
    await engine.indices.create('s', { mappings: { properties } });
    // The same fields, one of another type.
    const others = { ...properties, n: { type: 'double' } };
    await engine.indices.create('o', { mappings: { properties: others } });
    const lists = [
      ...SORTS.map((sort) => [sort, ['s']] as const),
      ...SORTS.slice(0, 5).map((sort) => [sort, ['o', 's']] as const),
    ];
    const write = async (from: number, to: number, version: number): Promise<void> => {
      for (let n = from; n < to; n += 1_000)
        await engine.write(Array.from({ length: Math.min(1_000, to - n) }, (_, i) => put(n + i, version)));
      await engine.indices.flush(['s']);
    };
    await engine.write(Array.from({ length: 3_000 }, (_, n) => ({ ...put(n, 7), index: 'o', id: `o${n}` })));
    await engine.indices.flush(['o']);
    await write(0, 5_000, 0);
    await write(5_000, DOCS, 0);
    for (let stage = 0; stage < 3; stage++) {
      for (const [sort, indices] of lists) {
        // Positions have nothing to be kept; else it is nearly all, but for blocks at the ends.
        const isKept = sort[0] === '_doc' ? 0 : PAGES * PAGE * 0.5;
        const anew = await walk(engine, sort, isKept === 0 ? Number.POSITIVE_INFINITY : isKept, indices);
        if (isKept === 0) assert.equal(anew, PAGES * PAGE);
        else assert.ok(anew < isKept, `${anew} were printed anew by ${JSON.stringify(sort)}`);
      }
      await write(stage * 700, stage * 700 + 1_500, stage + 1);
      await engine.write(
        [5, 150, 4_444].map((n) => {
          const at = n + stage;
          return { kind: 'delete', index: 's', id: `${words[at % 3]}${at}` } as const;
        }),
      );
      if (stage === 1) await engine.indices.forceMerge(['s'], 1);
    }
    // Of walks, page behind page, nothing is kept but where they all begin.
    await engine.indices.forceMerge(['s'], 1);
    const walks: [readonly unknown[], number] = [[{ d: 'asc' }, { k: 'desc' }], Number.POSITIVE_INFINITY];
    assert.ok((await walk(engine, ...walks, ['s'], PAGE)) >= PAGES * PAGE - 512);
  } finally {
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  }
});
