// Scrolls: all hits of a search from one snapshot. Pages are requested by number, so a lost reply does not
// lose a page. The scroll is closed when the walk ends, also if it ends early.

import { requireOptions, type Transport } from '../transport.ts';
import {
  type Hit,
  type Index,
  indexPath,
  type SearchBody,
  type SearchOptions,
  type SearchReply,
} from './search.ts';

export interface ScrollOptions extends SearchOptions {
  /** The time that the server keeps the snapshot between two pages. @default '1m' */
  readonly keepAlive?: string;
}

/** An exported document. */
export type ExportedDocument<Source = unknown> = Pick<Hit<Source>, '_index' | '_id' | '_source' | '_type'>;

/** The pages of a scroll, without empty ones. Forwards only. */
export async function* scrollPages<Source>(
  transport: Transport,
  index: Index,
  body: SearchBody,
  options: ScrollOptions,
): AsyncGenerator<SearchReply<Source>> {
  requireOptions(options, ['type', 'params', 'keepAlive', 'signal']);
  const { keepAlive = '1m', signal } = options;
  const type = options.type === undefined ? [] : [options.type];
  let reply = await transport.call<SearchReply<Source>>({
    method: 'POST',
    path: indexPath(index, ...type, '_search'),
    query: { ...options.params, scroll: keepAlive, scroll_seq: 1 },
    body,
    signal,
    safe: true,
  });
  const id = reply._scroll_id;
  try {
    for (let seq = 2; reply.hits.hits.length > 0; seq++) {
      yield reply;
      // A page that is not full is the last one.
      if (reply.hits.hits.length < (body.size ?? 10)) break;
      reply = await transport.call<SearchReply<Source>>({
        method: 'POST',
        path: '/_search/scroll',
        query: { scroll_seq: seq },
        body: { scroll: keepAlive, scroll_id: id },
        signal,
        safe: true,
      });
    }
  } finally {
    await closeScroll(transport, id);
  }
}

/** Every document of an index once, from one snapshot, in no particular order. */
export async function* exportDocuments<Source>(
  transport: Transport,
  index: Index,
  { query, _source, size = 1000 }: SearchBody,
  options: ScrollOptions,
): AsyncGenerator<ExportedDocument<Source>> {
  const selection = {
    ...(query === undefined ? {} : { query }),
    ...(_source === undefined ? {} : { _source }),
  };
  const body: SearchBody = { ...selection, size, sort: ['_doc'], track_total_hits: true };
  for await (const { hits } of scrollPages<Source>(transport, index, body, options)) {
    for (const { _index, _id, _source, _type } of hits.hits) {
      yield { _index, _id, _source, ...(_type === undefined ? {} : { _type }) };
    }
  }
}

/** Closes a scroll. Errors are ignored: an unreachable scroll expires by itself. */
async function closeScroll(transport: Transport, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const call = { method: 'DELETE', path: '/_search/scroll', body: { scroll_id: [id] }, safe: true } as const;
  await transport.open(call, JSON.stringify(call.body)).then(
    ({ release }) => release(),
    () => undefined,
  );
}
