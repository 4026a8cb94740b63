// Commands to try on the demo, built from its documents: curl for each way to page and search, and for the application API.

import type { Engine } from '@octavo/engine';
import { INDEX } from './load-synsets.ts';

const SORT = [{ gmt_modified: 'desc' }, { score: 'desc' }, { id: 'asc' }];

/** Six curl commands: offset, search_after, scroll, filter, a jump to a deep page, full text. */
export async function exampleCommands(engine: Engine, address: string): Promise<string[]> {
  const page = await engine.search({ indices: [INDEX], sort: SORT, size: 5 });
  const last = page.hits[page.hits.length - 1]?.sort ?? [];
  const all = (await engine.count({ indices: [INDEX] })) || 1;
  const deep = Math.max(1, Math.floor(all / 20));
  const search = `${address}/${INDEX}/_search`;
  const curl = (title: string, url: string, body: object): string =>
    `# ${title}\ncurl -s -X GET '${url}' -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'\n`;
  return [
    curl('offset: the third page of five', `${search}?pretty`, {
      query: { match_all: {} },
      from: 10,
      size: 5,
    }),
    curl('search_after: the page after the first five', `${search}?pretty`, {
      size: 5,
      sort: SORT,
      query: { match_all: {} },
      search_after: last,
    }),
    curl(
      'scroll: a snapshot, batch by batch (send the _scroll_id to _search/scroll)',
      `${search}?scroll=1m&pretty`,
      {
        query: { match_all: {} },
        size: 5,
      },
    ),
    curl('filter: the animals that occur most often in texts', `${search}?pretty`, {
      query: {
        bool: { filter: [{ term: { lexname: 'noun.animal' } }, { range: { sense_count: { gte: 5 } } }] },
      },
      sort: [{ sense_count: 'desc' }, { id: 'asc' }],
      size: 5,
    }),
    curl(
      `jump: page ${grouped(deep)} of ${grouped(Math.ceil(all / 20))}, at the cost of page 1`,
      `${search}?pretty`,
      {
        sort: SORT,
        page: deep,
        size: 20,
      },
    ),
    curl('full text: best matches first', `${search}?pretty`, {
      query: { match: { definition: 'a domesticated animal kept for its wool' } },
      size: 5,
    }),
  ];
}

function grouped(n: number): string {
  return n.toLocaleString('en-US');
}

/** What to try of the application API. */
export function recordsCommands(address: string): string[] {
  return [
    `# feed: newest first; send next_max_id as ?max_id=… for the next page; ?page=30 jumps\ncurl -s '${address}/api/newsfeed/?limit=2'\n`,
    `# transaction: exact, idempotent with an Idempotency-Key\ncurl -s -X POST '${address}/api/transaction/?from=ada&to=grace&money=12.30'\n`,
    `# everything else: ${address}/api/docs in a browser, ${address}/api/openapi.json for programs\n`,
  ];
}
