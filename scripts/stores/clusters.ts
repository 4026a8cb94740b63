// Drivers of the paging suite for OpenSearch, through its own client, and for Octavo over HTTP. Both have the
// same wire.

import { Client as ElasticClient, SniffingTransport } from '@elastic/elasticsearch';
import type { PageSource } from '@octavo/paging';
import { elasticsearchSource, type SearchHit, type SearchSource } from '@octavo/paging/elasticsearch';
import { octavoSource } from '@octavo/paging/octavo';
import { opensearchSource } from '@octavo/paging/opensearch';
import type { Driver, Row } from '@octavo/paging/testing';
import { Client } from '@opensearch-project/opensearch';

let made = 0;

/** The keys as text, because JSON has no bigints. */
const packed = (row: Row): string =>
  JSON.stringify(row.values.map((v) => (typeof v === 'bigint' ? { big: String(v) } : v)));
const unpacked = (text: unknown): Row['values'] =>
  (JSON.parse(String(text)) as (null | string | number | { big: string })[]).map((v) =>
    typeof v === 'object' && v !== null ? BigInt(v.big) : v,
  );

/** One index per list. `through` selects the driver that reads it. */
export function clusterDriver(
  url: string,
  through: 'opensearch' | 'elasticsearch' | 'elasticsearch 7' | 'octavo',
): Driver & { close(): Promise<void> } {
  const client = new Client({ node: url });
  const elastic = elasticClient(url, through);
  const send = async (method: string, path: string, body: unknown): Promise<void> => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok || text.includes('"errors":true'))
      throw new Error(`${method} ${path}: ${text.slice(0, 400)}`);
  };
  return {
    numbers: 'integers',
    close: async () => {
      await client.close();
      await elastic.close();
    },
    async create(rows, order) {
      const index = `list${made++}`;
      const type = (i: number): string =>
        rows.some((r) => typeof r.values[i] === 'string') ? 'keyword' : 'long';
      const keys = Object.fromEntries(order.map((_, i) => [`k${i}`, { type: type(i) }]));
      await send('PUT', `/${index}`, {
        settings: { number_of_shards: 1, number_of_replicas: 0 },
        mappings: {
          properties: { ...keys, id: { type: 'keyword' }, row: { type: 'keyword', index: false } },
        },
      });
      const document = (row: Row): string =>
        `{"id":${JSON.stringify(row.id)},"row":${JSON.stringify(packed(row))}${order
          .map((_, i) => {
            const v = row.values[i] ?? null;
            return `,"k${i}":${typeof v === 'bigint' ? v : JSON.stringify(v)}`;
          })
          .join('')}}`;
      const write = (some: readonly Row[]): Promise<void> =>
        send(
          'POST',
          `/${index}/_bulk?refresh=true`,
          some.map((r) => `{"index":{"_id":${JSON.stringify(r.id)}}}\n${document(r)}\n`).join(''),
        );
      if (rows.length > 0) await write(rows);
      const list = {
        index,
        keys: order.map((direction, i) => ({ ...direction, field: `k${i}` })),
        id: 'id',
        keepAlive: false as const,
        item: (hit: { readonly _source?: unknown }): Row => {
          const { id, row } = hit._source as { id: string; row: string };
          return { id, values: unpacked(row) };
        },
        anchor: (row: Row) => ({ tuple: row.values, id: row.id }),
      };
      return {
        source:
          through === 'octavo'
            ? octavoSource<Row>({ ...list, url })
            : through === 'elasticsearch 7'
              ? elasticsearchSource<Row>(elastic, list)
              : through === 'elasticsearch'
                ? withoutCounts(elasticsearchSource<Row>(elastic, list))
                : opensearchSource<Row>(client, list),
        insert: (row) => write([row]),
        remove: (id) => send('DELETE', `/${index}/_doc/${encodeURIComponent(id)}?refresh=true`, undefined),
        close: () => send('DELETE', `/${index}`, undefined),
      };
    },
  };
}

/** Counts by a filters aggregation, which Octavo does not have; Octavo has its own pages by number. */
function withoutCounts({ page, anchor }: PageSource<Row>): PageSource<Row> {
  return { page, anchor };
}

function elasticClient(url: string, through: string): ElasticClient {
  return new ElasticClient({
    node: url,
    ...(through === 'elasticsearch 7' ? { Transport: PlainTransport } : {}),
  });
}

/** A list of ids on a point in time that the test can close. */
export async function pitOfOwn(
  url: string,
  through: 'opensearch' | 'elasticsearch 7',
  ids: readonly string[],
): Promise<{ readonly source: SearchSource<string>; lose(): Promise<void>; close(): Promise<void> }> {
  const client = new Client({ node: url });
  const elastic = elasticClient(url, through);
  const index = 'lost';
  for (const id of ids) await client.index({ index, id, body: { id }, refresh: id === ids.at(-1) });
  const list = {
    ...{ index, keys: [], id: 'id.keyword' },
    item: (hit: SearchHit) => hit._id,
    anchor: (id: string) => ({ tuple: [], id }),
  };
  const opened: string[] = [];
  const noting = {
    search: (request: never) => elastic.search(request),
    async openPointInTime(request: never) {
      const pit = await elastic.openPointInTime(request);
      opened.push(pit.id);
      return pit;
    },
    closePointInTime: (request: never) => elastic.closePointInTime(request),
  };
  const isElastic = through === 'elasticsearch 7';
  const source = isElastic
    ? elasticsearchSource<string>(noting, list)
    : opensearchSource<string>(client, list);
  return {
    source,
    async lose() {
      if (!isElastic) await client.deleteAllPits();
      for (const id of opened.splice(0)) await elastic.closePointInTime({ id });
    },
    async close() {
      await source.close();
      await client.indices.delete({ index });
      await client.close();
      await elastic.close();
    },
  };
}

/** Replaces the media types of the current client, which Elasticsearch 7 refuses. */
class PlainTransport extends SniffingTransport {
  constructor(options: ConstructorParameters<typeof SniffingTransport>[0]) {
    const accept = 'application/json';
    super({
      ...options,
      vendoredHeaders: { jsonContentType: accept, ndjsonContentType: 'application/x-ndjson', accept },
    });
  }
}
