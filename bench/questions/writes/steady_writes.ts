// Single writes over time: a thousand PUTs per second for two minutes, at a steady rate whatever the replies
// take. Compares the time from due to reply, and the number of segments, of the second minute with the first.

import { draft, spell } from '../../corpus/corpus.ts';
import { createIndex } from '../../measure/load-corpus.ts';
import { quantile } from '../../measure/quantile.ts';
import {
  ask,
  type Claim,
  expectEqual,
  medianOf,
  type Question,
  type Row,
  ratioOf,
  type Setting,
} from '../../measure/question.ts';

const INDEX = 'bench-steady';
const PER_SECOND = 1_000;
const SECONDS = 120;
/** The interval of sending due writes, in ms. */
const TICK_MS = 5;
const COUNT_MS = 100;
const WORK = '1,000 single writes a second, for two minutes';
const HALVES = ['first minute', 'second minute'] as const;

export const steadyWrites: Question = {
  name: 'steady_writes',
  asks: 'Do single writes stay cheap for as long as they come?',
  async run(setting) {
    const { octavo, smoke } = setting;
    await createIndex(octavo, INDEX);
    const rows: Row[] = [];
    const half = ((smoke ? 2 : SECONDS) / 2) * 1_000;
    let next = 0;
    for (const name of HALVES) {
      const { micros, segments, sent } = await steadily(setting, next, half);
      next = sent;
      const median = quantile(micros, 0.5);
      rows.push(
        { name, unit: 'µs', figures: { octavo: { median, p99: quantile(micros, 0.99) } } },
        {
          name: `segments, ${name}`,
          unit: 'segments',
          figures: { octavo: { median: Math.max(...segments) } },
        },
      );
    }
    const { count } = await ask<{ count: number }>(octavo, 'GET', `/${INDEX}/_count`);
    expectEqual(octavo, 'documents that were written', count, next);
    await ask(octavo, 'DELETE', `/${INDEX}`);
    return rows;
  },
  claims: (rows): Claim[] =>
    (
      [
        ['segments, the most of the second minute / of the first', 'segments, '],
        ['time of a write, second minute / first', ''],
      ] as const
    ).map(([says, prefix]) => ({
      work: WORK,
      says,
      measured: ratioOf(
        medianOf(rows, `${prefix}${HALVES[1]}`, 'octavo'),
        medianOf(rows, `${prefix}${HALVES[0]}`, 'octavo'),
      ),
      unit: '×',
      atMost: 1.2,
    })),
};

interface Half {
  readonly micros: number[];
  /** Sampled ten times a second, because the number of segments varies within a second. */
  readonly segments: number[];
  /** The number of the next document. */
  readonly sent: number;
}

async function steadily({ octavo }: Setting, from: number, forMs: number): Promise<Half> {
  const micros: number[] = [];
  const segments: number[] = [];
  const under = new Set<Promise<void>>();
  const began = performance.now();
  let sent = from;
  let counted = 0;
  const write = async (i: number, due: number): Promise<void> => {
    await ask(octavo, 'PUT', `/${INDEX}/_doc/${i}`, spell(draft(i)));
    micros.push((performance.now() - due) * 1_000);
  };
  const count = async (): Promise<void> => {
    const stats = await ask<{ _all: { primaries: { segments: { count: number } } } }>(
      octavo,
      'GET',
      `/${INDEX}/_stats/segments`,
    );
    segments.push(stats._all.primaries.segments.count);
  };
  const start = (work: Promise<void>): void => {
    const running = work.finally(() => under.delete(running));
    under.add(running);
  };
  for (let now = 0; now < forMs; now = performance.now() - began) {
    for (; sent - from < (now / 1_000) * PER_SECOND; sent++)
      start(write(sent, began + ((sent - from) / PER_SECOND) * 1_000));
    if (now >= counted * COUNT_MS) {
      counted++;
      start(count());
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(under);
  return { micros, segments, sent };
}
