// A walked query gives the cluster's result when indices are missing, documents change or requests fail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@octavo/engine';
import { AnswerTooLarge, type ClusterRequest } from '../client/peer-cluster.ts';
import { NoAnswer, type NodeAnswer } from '../client/send.ts';
import type { ProxyRequest } from '../request/forward.ts';
import type { QueryPlan } from './query-plan.ts';
import { walkQuery } from './query-walk.ts';

const PLAN: QueryPlan = {
  ...{ by: 'delete_by_query', query: { match_all: {} }, size: 10, maxDocs: Number.MAX_SAFE_INTEGER },
  ...{ proceeds: false, refreshes: false, searchParams: { scroll: '5m' }, writeParams: {} },
};

/** The documents of the fake cluster; stale ones have changed since they were found. */
interface Peer {
  readonly count: number;
  readonly stale?: number;
  /** The most documents an answer may have. */
  readonly most?: number;
  /** Called before each write, with its number from 1. */
  readonly failing?: (write: number) => void;
  readonly after?: (write: number) => void;
  readonly page?: (page: number) => NodeAnswer | undefined;
}

function answered(status: number, value: unknown): NodeAnswer {
  return { status, headers: {}, body: Buffer.from(JSON.stringify(value)) };
}

/** Creates such a cluster and records its requests. */
function peer({ count, stale = 0, most = count, failing, after, page }: Peer) {
  const requests: string[] = [];
  const open = new Set<string>();
  let [at, size, writes, pages] = [0, 0, 0, 0];
  const hits = (): NodeAnswer => {
    const scroll = `scroll-${size}`;
    open.add(scroll);
    const some = Array.from({ length: Math.min(size, count - at) }, (_, i) => at + i);
    if (some.length > most) {
      const head = Buffer.from(`{"_scroll_id":"${scroll}","took":1,"hits":{"hits":[`);
      throw new AnswerTooLarge(
        'content_too_long_exception',
        'long',
        new NoAnswer('long', true, 'long', head),
        400,
      );
    }
    at += some.length;
    const found = some.map((n) => ({
      ...{ _index: 'i', _id: `${n}`, _seq_no: n, _primary_term: 1, _source: { n } },
    }));
    return answered(200, { _scroll_id: scroll, hits: { total: { value: count }, hits: found } });
  };
  const request = async ({ method, path, body }: ClusterRequest): Promise<NodeAnswer> => {
    const text = Buffer.from(body ?? []).toString('utf8');
    requests.push(`${method} ${path.split('?')[0]}`);
    if (path.startsWith('/none/')) return answered(200, { hits: { total: { value: 0 }, hits: [] } });
    if (method === 'DELETE') {
      open.delete((JSON.parse(text) as { scroll_id: string }).scroll_id);
      return answered(200, {});
    }
    if (path.includes('/_search?')) {
      size = (JSON.parse(text) as { size: number }).size;
      return hits();
    }
    if (path === '/_search/scroll') return page?.(++pages) ?? hits();
    const ids = [...text.matchAll(/"_id":"(\d+)"/g)].map(([, id]) => Number(id));
    const items = ids.map((n) => {
      const shown = { _index: 'i', _id: `${n}`, _seq_no: n, _version: 2 };
      return n < stale
        ? { delete: { ...shown, status: 409, error: { type: 'version_conflict_engine_exception' } } }
        : { delete: { ...shown, status: 200, result: 'deleted' } };
    });
    return answered(200, { items });
  };
  const changeEvents = {
    write: async (_about: unknown, send: () => Promise<NodeAnswer>) => {
      writes++;
      failing?.(writes);
      const answer = await send();
      after?.(writes);
      return answer;
    },
  };
  const cluster = { request, requestJson: request };
  const of = (index: string) =>
    ({ cluster, changeEvents, call: { path: { index } } }) as unknown as ProxyRequest;
  return { requests, open, of };
}

/** The counts of the reply, as numbers. */
async function walk(options: Peer, plan: Partial<QueryPlan>, index = 'i') {
  const here = peer(options);
  const reply = await walkQuery(here.of(index), { ...PLAN, ...plan });
  assert.equal(here.open.size, 0, 'no scroll is left open');
  const body = (reply?.body ?? {}) as Record<string, unknown>;
  const { total, deleted, batches, version_conflicts: conflicts } = body;
  const failures = (body['failures'] ?? []) as Record<string, Record<string, unknown>>[];
  return {
    reply,
    counts: [reply?.status, total, deleted, batches, conflicts],
    failures,
    requests: here.requests,
  };
}

test('where there is no index to look in, there is nothing to do', async () => {
  const { counts, requests } = await walk({ count: 0 }, {}, 'none');
  assert.deepEqual(counts, [200, 0, 0, 0, 0]);
  assert.deepEqual(requests, ['POST /none/_search']);
});

test('what a page holds beyond what is asked for is not come back to, as in an OpenSearch 3.1', async () => {
  for (const [size, deleted, batches] of [
    ...[9, 10, 11, 15].map((size) => [size, 10, 2] as const),
    ...([
      [24, 8, 2],
      [25, 7, 1],
      [1_000, 7, 1],
    ] as const),
  ])
    assert.deepEqual((await walk({ count: 25, stale: 3 }, { proceeds: true, size, maxDocs: 10 })).counts, [
      ...[200, 10, deleted, batches, 3],
    ]);
});

test('what fails midway is told beside what was done', async () => {
  const away = new EngineError('records_unreachable_exception', 'away; this was not done');
  const failing = (write: number): void => {
    if (write === 3) throw away;
  };
  const { reply, counts, failures } = await walk({ count: 25, failing }, { size: 4 });
  assert.deepEqual(counts, [503, 25, 8, 3, 0]);
  assert.deepEqual(reply?.headers, { 'retry-after': '1' });
  assert.deepEqual(
    failures.map(({ id, cause, status }) => [id, cause?.['type'], status]),
    ['8', '9', '10', '11'].map((id) => [id, away.type, 503]),
  );
  const lost = (write: number): void => {
    if (write === 2) throw new EngineError('records_moved_exception', 'it was done');
  };
  const moved = await walk({ count: 25, after: lost }, { size: 4 });
  assert.deepEqual(moved.counts, [503, 25, 8, 2, 0], 'what was written counts, told or not');
  assert.deepEqual(moved.failures.length, 1);
  const error = { type: 'search_context_missing_exception', reason: 'gone' };
  const page = (n: number) => (n === 2 ? answered(404, { error, status: 404 }) : undefined);
  const gone = await walk({ count: 25, page }, { size: 4 });
  assert.deepEqual(gone.counts, [404, 25, 8, 2, 0]);
  assert.deepEqual(JSON.parse(JSON.stringify(gone.failures)), [{ status: 404, reason: error }]);
});

test('what fails before anything was done is an error', async () => {
  const failing = (): void => {
    throw new EngineError('records_unreachable_exception', 'away; this was not done');
  };
  await assert.rejects(walk({ count: 25, failing }, {}), { type: 'records_unreachable_exception' });
});

test('pages that are too large are asked for again with fewer documents; a document that is, is left to the cluster', async () => {
  const { counts } = await walk({ count: 25, most: 3 }, { size: 20 });
  assert.deepEqual(counts, [200, 25, 25, 13, 0]);
  assert.equal((await walk({ count: 25, most: 0 }, { size: 20 })).reply, undefined);
});
