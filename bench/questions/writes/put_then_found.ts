// The time until a write is searchable: a PUT and then a search that must find it, on one connection. In
// Octavo a document is searchable when acknowledged. OpenSearch refreshes within the PUT, the earliest it
// can.

import { draft, spell } from '../../corpus/corpus.ts';
import type { Request } from '../../load/load.ts';
import { createIndex } from '../../measure/load-corpus.ts';
import { ask, type Question, type Row } from '../../measure/question.ts';
import { figureOf, measure } from '../../measure/timing.ts';

const INDEX = 'bench-found';

export const putThenFound: Question = {
  name: 'put_then_found',
  asks: 'How long is it until what was written is found?',
  async run(setting) {
    const row: Row = { name: 'put_then_found', unit: 'µs', figures: {} };
    for (const target of setting.servers) {
      await createIndex(target, INDEX);
      const refresh = target.name === 'octavo' ? '' : '?refresh=true';
      const pair = (n: number): Request[] => [
        {
          method: 'PUT',
          path: `/${INDEX}/_doc/${n}${refresh}`,
          body: JSON.stringify({ ...spell(draft(n)), id: `new-${n}` }),
        },
        {
          method: 'POST',
          path: `/${INDEX}/_search`,
          body: JSON.stringify({ query: { term: { id: `new-${n}` } } }),
          mustHave: `new-${n}`,
        },
      ];
      const most = Math.min(setting.maxRequests, 400);
      const job = { kind: 'repeat', url: target.url, connections: 1, mostMs: setting.maxMs } as const;
      const requests = Array.from({ length: 2 * most }, (_, n) => n).flatMap(pair);
      await measure(setting, target, row.name, {
        ...job,
        requests: requests.slice(0, 2 * most),
        most: 2 * most,
      });
      const rest = requests.slice(2 * most);
      const sum = await measure(setting, target, row.name, { ...job, requests: rest, most: 2 * most });
      const micros: number[] = [];
      for (let at = 0; at + 1 < sum.micros.length; at += 2)
        micros.push((sum.micros[at] ?? 0) + (sum.micros[at + 1] ?? 0));
      row.figures[target.name] = figureOf({ ...sum, micros });
      await ask(target, 'DELETE', `/${INDEX}`);
    }
    return [row];
  },
};
