// Random search bodies, and walks through their pages.

import type { Step } from '../case.ts';
import { makeAggregations } from './aggregations.ts';
import type { Body, Generator } from './generator.ts';
import { highlight } from './highlights.ts';
import { makeQuery } from './queries.ts';
import { queryString } from './query-strings.ts';
import { makeSort } from './sorts.ts';

/** One search. */
export function searchSteps(g: Generator): Step[] {
  const parameters = g.random.chance(0.1) ? urlParameters(g) : '';
  return [{ method: 'POST', path: `/$index/_search${parameters}`, body: searchBody(g) }];
}

/** Aggregations over a query, without hits. */
export function aggregationSteps(g: Generator): Step[] {
  const { random } = g;
  const body: Body = {
    size: random.chance(0.8) ? 0 : 2,
    ...random.members(0.5, { query: () => makeQuery(g, 1) }),
    [random.pick(['aggs', 'aggregations'])]: makeAggregations(g),
    ...random.members(0.05, { post_filter: () => makeQuery(g, 0) }),
  };
  return [{ method: 'POST', path: `/$index/_search${random.chance(0.1) ? '?typed_keys=true' : ''}`, body }];
}

export function searchBody(g: Generator): Body {
  const { random } = g;
  const total = random.chance(0.85);
  const body: Body = {
    ...random.members(0.9, { query: () => makeQuery(g) }),
    ...random.members(0.35, { sort: () => makeSort(g, total) }),
    ...random.members(0.3, { size: () => random.pick([0, 1, 3, 20, 100]) }),
    ...random.members(0.1, {
      from: () => random.int(0, 10),
      track_total_hits: () => random.pick<unknown>([true, false, 3]),
      _source: () => g.uses('_source', sourceSpec(g)),
      post_filter: () => g.uses('post_filter', makeQuery(g, 0)),
      highlight: () => g.uses('highlight', highlight(g)),
      fields: () => g.uses('fields', fieldsOf(g)),
      docvalue_fields: () => g.uses('docvalue_fields', docvalueFields(g)),
      collapse: () => g.uses('collapse', collapse(g)),
    }),
    ...random.members(0.04, {
      min_score: () => random.pick([0.1, 0.5, 1]),
      track_scores: () => true,
      seq_no_primary_term: () => true,
      stored_fields: () => random.pick<unknown>(['_none_', ['title'], ['_source'], '*']),
      indices_boost: () => [{ $index: 2 }],
      explain: () => false,
      timeout: () => '10s',
      include_named_queries_score: () => true,
      script_fields: () =>
        g.uses('script_fields', {
          f: { script: { source: "doc['seq'].size() == 0 ? -1 : doc['seq'].value * 2" } },
        }),
      rescore: () =>
        g.uses('rescore', { window_size: 10, query: { rescore_query: makeQuery(g, 0), query_weight: 0.5 } }),
    }),
  };
  // Beside a sort by fields the peer does not count the documents that it skips.
  if ('min_score' in body) delete body['sort'];
  return body;
}

function sourceSpec(g: Generator): unknown {
  const path = (): string => g.random.pick([g.field().path, 'obj', 't*', 'obj.*', '*.n', '*']);
  return g.random.pick<unknown>([
    true,
    false,
    path(),
    [path(), path()],
    { includes: [path()], excludes: [path()] },
    { excludes: path() },
  ]);
}

function fieldsOf(g: Generator): unknown[] {
  const { random } = g;
  return random.list(1, 3, () => {
    const field = g.field();
    return random.pick<unknown>([
      field.path,
      '*',
      'obj.*',
      {
        field: field.path,
        ...(field.kind === 'date' ? { format: random.pick(['yyyy', 'epoch_millis', 'yyyy-MM-dd']) } : {}),
      },
    ]);
  });
}

function docvalueFields(g: Generator): unknown[] {
  const { random } = g;
  return random.list(1, 3, () => {
    const field = g.column();
    return random.pick<unknown>([
      field.path,
      {
        field: field.path,
        ...(field.kind === 'date' ? { format: random.pick(['yyyy', 'epoch_millis']) } : {}),
      },
    ]);
  });
}

function collapse(g: Generator): Body {
  const { random } = g;
  return {
    field: g.column('keyword', 'integer', 'long').path,
    ...random.members(0.25, {
      inner_hits: () => ({
        name: 'inner',
        ...random.members(0.5, {
          size: () => random.int(1, 4),
          sort: () => makeSort(g, true),
          from: () => 1,
          _source: () => false,
        }),
      }),
    }),
  };
}

function urlParameters(g: Generator): string {
  const { random } = g;
  const all = random.members(0.2, {
    q: () => queryString(g),
    sort: () => random.pick(['seq:desc', 'seq', 'n:asc,seq:asc', '_score,seq']),
    size: () => random.int(0, 5),
    from: () => random.int(0, 3),
    _source: () => random.pick(['false', 'title', 't*,n']),
    _source_includes: () => 'obj.*',
    track_total_hits: () => random.pick(['true', 'false', '2']),
    default_operator: () => random.pick(['AND', 'OR']),
    df: () => 'title',
    docvalue_fields: () => 'seq',
    rest_total_hits_as_int: () => 'true',
    typed_keys: () => 'true',
    version: () => 'true',
    lenient: () => 'true',
    search_type: () => random.pick(['query_then_fetch', 'dfs_query_then_fetch']),
    filter_path: () => random.pick(['hits.hits._id', '-hits.hits._source', 'hits.total,took']),
    preference: () => '_local',
  });
  const text = Object.entries(all).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return text.length === 0 ? '' : `?${text.join('&')}`;
}

/** Pages by search_after, by scroll, or on a point in time. */
export function walkSteps(g: Generator): Step[] {
  const { random } = g;
  const body: Body = { query: makeQuery(g, 1), size: random.int(1, 7) };
  const way = random.pick(['search_after', 'scroll', 'pit']);
  g.features.add(`walk ${way}`);
  const sorted = { ...body, sort: makeSort(g, true) };
  if (way === 'scroll') {
    return [
      { method: 'POST', path: '/$index/_search?scroll=1m', body: random.chance(0.7) ? sorted : body },
      { method: 'POST', path: '/_search/scroll', body: { scroll: '1m', scroll_id: '$scroll' } },
      { method: 'POST', path: '/_search/scroll', body: { scroll: '1m', scroll_id: '$scroll' } },
      { method: 'DELETE', path: '/_search/scroll', body: { scroll_id: ['$scroll'] } },
    ];
  }
  if (way === 'search_after') {
    return [
      { method: 'POST', path: '/$index/_search', body: sorted },
      { method: 'POST', path: '/$index/_search', body: { ...sorted, search_after: '$after' } },
      { method: 'POST', path: '/$index/_search', body: { ...sorted, search_after: '$after' } },
    ];
  }
  const pit = { id: '$pit', keep_alive: '1m' };
  return [
    { method: 'POST', path: '/$index/_search/point_in_time?keep_alive=1m' },
    { method: 'POST', path: '/_search', body: { ...sorted, pit } },
    { method: 'POST', path: '/_search', body: { ...sorted, pit, search_after: '$after' } },
    { method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: ['$pit'] } },
  ];
}
