// What do ten thousand open scrolls cost? Opening each, reading each on once while all are open, and the resident memory that
// they take together. OpenSearch opens 500, its limit.

import { memoryOf } from '../machine.ts';
import { ask, type Claim, INDEX, medianOf, type Question, type Row, type Target } from '../question.ts';
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
      const job = {
        kind: 'contexts',
        url: target.url,
        path: `/${INDEX}/_search?scroll=5m`,
        body: BODY,
      } as const;
      await measure(setting, target, 'scrolls, to warm up', { ...job, count: Math.min(100, wanted) });
      await closeAll(target);
      const before = memoryOf(target.pid)?.now;
      const { measured, calibration } = await measure(setting, target, 'scrolls', { ...job, count: wanted });
      const after = memoryOf(target.pid)?.now;
      const figure = (micros: readonly number[]) => ({
        median: quantile(micros, 0.5),
        p99: quantile(micros, 0.99),
        calibration: quantile(calibration, 0.5),
      });
      count.figures[target.name] = { median: measured.documents };
      opening.figures[target.name] = figure(measured.micros.slice(0, wanted));
      reading.figures[target.name] = figure(measured.micros.slice(wanted));
      if (before !== undefined && after !== undefined)
        memory.figures[target.name] = { median: Math.max(0, after - before) / wanted };
      await closeAll(target);
    }
    return [count, opening, reading, memory];
  },
  claims: (rows): Claim[] => [
    {
      work: 'open snapshots',
      says: 'resident memory of one of 10,000, garbage included',
      measured: medianOf(rows, 'memory of one', 'octavo'),
      unit: 'bytes',
      atMost: 1024,
    },
  ],
};

async function closeAll(target: Target): Promise<void> {
  await ask(target, 'DELETE', '/_search/scroll/_all');
}
