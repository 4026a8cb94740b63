// Ten thousand open scrolls: opening each, then reading one page of each while all are open. OpenSearch opens
// 500, its limit. Every scroll has its own filter. A separate server opens a hundred thousand, to compare the
// last with the first and to measure their heap. The heap is read after a collection, before and after they
// are closed, so cached filters count both times.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { sectionName } from '../../corpus/corpus.ts';
import { heapInUse } from '../../machine/heap-in-use.ts';
import { createIndex, cutsOf } from '../../measure/load-corpus.ts';
import { quantile } from '../../measure/quantile.ts';
import {
  ask,
  type Claim,
  type Figure,
  INDEX,
  medianOf,
  type Question,
  type Row,
  type Setting,
  type Target,
} from '../../measure/question.ts';
import { measure } from '../../measure/timing.ts';
import { startOctavo } from '../../peers/octavo.ts';

const OURS = 10_000;
const MOST = 100_000;
const PEERS = 500;
/** A filter of about 400 bytes, as in real searches. No two are equal, so none is shared. */
const BODY = {
  query: {
    bool: {
      filter: [
        { range: { gmt_modified: { gte: 0, lte: Date.UTC(2030, 0) } } },
        { terms: { section: Array.from({ length: 12 }, (_, section) => sectionName(section)) } },
      ],
      must_not: [{ term: { size: '$k' } }],
    },
  },
  size: 1,
  sort: [{ gmt_modified: 'desc' }, { size: 'asc' }],
};

export const scroll10kContexts: Question = {
  name: 'scroll_10k_contexts',
  asks: 'What do ten thousand open scrolls cost?',
  async run(setting) {
    const count: Row = { name: 'scrolls open at once', unit: 'contexts', figures: {} };
    const opening: Row = { name: 'opening one', unit: 'µs', figures: {} };
    const reading: Row = { name: 'reading one on', unit: 'µs', figures: {} };
    for (const target of setting.servers) {
      const wanted = setting.smoke ? 40 : target.name === 'octavo' ? OURS : PEERS;
      await open(setting, target, Math.min(100, wanted));
      await closeAll(target);
      const { measured, calibration } = await open(setting, target, wanted);
      const figure = (micros: readonly number[]): Figure => ({
        median: quantile(micros, 0.5),
        p99: quantile(micros, 0.99),
        calibration: quantile(calibration, 0.5),
      });
      count.figures[target.name] = { median: measured.documents };
      opening.figures[target.name] = figure(measured.micros.slice(0, wanted));
      reading.figures[target.name] = figure(measured.micros.slice(wanted));
      await closeAll(target);
    }
    if (setting.smoke) return [count, opening, reading];
    return [count, opening, reading, ...(await mostOf(setting))];
  },
  claims: (rows): Claim[] => [
    {
      work: 'open snapshots',
      says: 'heap of one open scroll, of 100,000',
      measured: medianOf(rows, 'memory of one, of 100,000', 'octavo'),
      unit: 'bytes',
      atMost: 1024,
    },
  ],
};

function open(setting: Setting, target: Target, count: number): ReturnType<typeof measure> {
  const path = `/${INDEX}/_search?scroll=5m`;
  return measure(setting, target, 'scrolls', { kind: 'contexts', url: target.url, path, body: BODY, count });
}

async function closeAll(target: Target): Promise<void> {
  await ask(target, 'DELETE', '/_search/scroll/_all');
}

/** The cost of the first and the last of 100,000 scrolls, and the heap of each. */
async function mostOf(setting: Setting): Promise<Row[]> {
  const port = await freePort();
  const server = await startOctavo(['--limit', `leasesPerKey=${MOST}`], [`--inspect=127.0.0.1:${port}`]);
  try {
    await createIndex(server, INDEX);
    const { file, load } = setting;
    const cuts = cutsOf(setting, 0, Math.min(2000, setting.truth.docs));
    const path = `/${INDEX}/_bulk`;
    await load.run({ kind: 'bulk', url: server.url, path, file, cuts, connections: 1 });
    // The first scrolls trigger compilation and the build of an order; leave that out.
    await open(setting, server, 1000);
    await closeAll(server);
    const { measured, calibration } = await open(setting, server, MOST);
    const heap = await heapInUse(port);
    await closeAll(server);
    const bytes = (heap - (await heapInUse(port))) / MOST;
    const row = (name: string, micros: readonly number[]): Row => {
      const figure = { median: quantile(micros, 0.5), p99: quantile(micros, 0.99) };
      return {
        name,
        unit: 'µs',
        figures: { octavo: { ...figure, calibration: quantile(calibration, 0.5) } },
      };
    };
    const { micros } = measured;
    const [first, last] = [micros.slice(0, OURS), micros.slice(MOST - OURS, MOST)];
    return [
      row('opening one of the first 10,000', first),
      row('opening one beside 90,000 others', last),
      row('reading one on beside 99,999 others', micros.slice(MOST)),
      { name: 'memory of one, of 100,000', unit: 'bytes', figures: { octavo: { median: bytes } } },
    ];
  } finally {
    await server.stop();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
