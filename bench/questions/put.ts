// What does one document at a time cost? PUT of new documents at 1, 16 and 64 connections, each durable when answered.

import { draft, spell } from '../corpus.ts';
import { ask, type Question, quantile, type Row, refuseErrors, type Setting } from '../question.ts';

const CONNECTIONS = [1, 16, 64];
const PUT_INDEX = 'bench-put';

export const put: Question = { name: 'put', asks: 'What does one document at a time cost?', run };

async function run(setting: Setting): Promise<Row[]> {
  const rows: Row[] = [];
  for (const connections of CONNECTIONS) {
    const times: Row = { name: `PUT, ${connections} connections`, unit: 'µs', figures: {} };
    const rates: Row = { name: `PUT, ${connections} connections`, unit: 'docs/s', figures: {} };
    const requests = Array.from({ length: Math.min(20_000, setting.most * 10) }, (_, i) => ({
      method: 'PUT',
      path: `/${PUT_INDEX}/_doc/${connections}-${i}`,
      body: JSON.stringify(spell(draft(i))),
    }));
    for (const target of setting.targets) {
      const measured = await setting.load.run({
        kind: 'repeat',
        url: target.url,
        requests,
        connections,
        most: requests.length,
        mostMs: setting.mostMs,
      });
      refuseErrors(target, times.name, measured);
      times.figures[target.name] = {
        median: quantile(measured.micros, 0.5),
        p99: quantile(measured.micros, 0.99),
      };
      rates.figures[target.name] = { median: measured.micros.length / (measured.elapsedMs / 1000) };
    }
    rows.push(times, rates);
  }
  for (const target of setting.targets) await ask(target, 'DELETE', `/${PUT_INDEX}`);
  return rows;
}
