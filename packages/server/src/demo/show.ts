// What does a newcomer see? The demo loads with a progress bar, then six commands to try, made from what is there.

import type { Engine } from '@octavo/engine';
import type { Records } from '@octavo/records';
import { elapsedSeconds, formatCount, perSecond, startProgress } from '../cli/io/progress.ts';
import { INDEX, loadWordnet } from './load.ts';
import { loadRecords, recordsCommands } from './records.ts';
import { SYNSETS } from './wordnet.ts';

/** Loads the demo where it is missing and prints what to try on stdout. */
export async function showDemo(
  engine: Engine,
  records: Records,
  address: string,
  options: { readonly quiet: boolean; readonly signal?: AbortSignal },
): Promise<void> {
  const started = performance.now();
  const shown = startProgress({ label: 'loading WordNet', total: SYNSETS, quiet: options.quiet });
  let written: number;
  try {
    written = await loadWordnet(engine, {
      signal: options.signal,
      onProgress: (documents) => shown.update(documents),
    });
  } finally {
    shown.end();
  }
  if (options.signal?.aborted === true) return;
  await loadRecords(records);
  if (options.quiet) return;
  process.stderr.write(
    written === 0
      ? `The demo is loaded already: ${formatCount(engine.indices.stats(INDEX).docCount)} synsets.\n`
      : `Loaded ${formatCount(written)} synsets in ${elapsedSeconds(started)} s (${formatCount(perSecond(written, started))} docs/s).\n`,
  );
  process.stdout.write(`\nThings to try:\n\n${(await commands(engine, address)).join('\n')}\n`);
  process.stdout.write(`The application API:\n\n${recordsCommands(address).join('\n')}\n`);
}

const SORT = [{ gmt_modified: 'desc' }, { score: 'desc' }, { id: 'asc' }];

/** Six curl commands: offset, search_after, scroll, filter, a jump to a deep page, full text. */
export async function commands(engine: Engine, address: string): Promise<string[]> {
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
    curl('filter: animals that texts speak of most', `${search}?pretty`, {
      query: {
        bool: { filter: [{ term: { lexname: 'noun.animal' } }, { range: { sense_count: { gte: 5 } } }] },
      },
      sort: [{ sense_count: 'desc' }, { id: 'asc' }],
      size: 5,
    }),
    curl(
      `jump: page ${formatCount(deep)} of ${formatCount(Math.ceil(all / 20))}, for the price of page 1`,
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
