// What do ten thousand open scrolls cost? Opening each, and reading each on once while all are open. OpenSearch opens 500, its
// limit. Their memory is counted on a server of its own: the heap after a collection, before and after they are opened.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createIndex, cutsOf } from '../corpus-load.ts';
import { heapInUse } from '../heap.ts';
import { startOctavo } from '../octavo.ts';
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
} from '../question.ts';
import { measure, quantile } from '../timing.ts';

const OURS = 10_000;
const PEERS = 500;
const BODY = { query: { match_all: {} }, size: 1, sort: [{ gmt_modified: 'desc' }] };

export const scroll10kContexts: Question = {
  name: 'scroll_10k_contexts',
  asks: 'What do ten thousand open scrolls cost?',
  async run(setting) {
    const count: Row = { name: 'scrolls open at once', unit: 'contexts', figures: {} };
    const opening: Row = { name: 'opening one', unit: 'µs', figures: {} };
    const reading: Row = { name: 'reading one on', unit: 'µs', figures: {} };
    const memory: Row = { name: 'memory of one', unit: 'bytes', figures: {} };
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
    memory.figures.octavo = { median: await memoryOfOne(setting) };
    return [count, opening, reading, memory];
  },
  claims: (rows): Claim[] => [
    {
      work: 'open snapshots',
      says: 'heap of one open scroll, of 10,000',
      measured: medianOf(rows, 'memory of one', 'octavo'),
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

async function memoryOfOne(setting: Setting): Promise<number> {
  const port = await freePort();
  const server = await startOctavo([], [`--inspect=127.0.0.1:${port}`]);
  try {
    await createIndex(server, INDEX);
    const { file, load } = setting;
    const cuts = cutsOf(setting, 0, Math.min(2000, setting.truth.docs));
    const path = `/${INDEX}/_bulk`;
    await load.run({ kind: 'bulk', url: server.url, path, file, cuts, connections: 1 });
    // What the first ones bring into being (compiled code, an order) is not theirs.
    await open(setting, server, 1000);
    await closeAll(server);
    const before = await heapInUse(port);
    await open(setting, server, OURS);
    return ((await heapInUse(port)) - before) / OURS;
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
