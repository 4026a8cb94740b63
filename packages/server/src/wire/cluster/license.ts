// `_license` and `_xpack`, which clients of Elasticsearch ask before they use a feature: a basic licence that does not end, and
// no feature of X-Pack. An OpenSearch has no such endpoints, and answers as for any other path.

import { EngineError, illegalArgument } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { clusterUuid, version } from './identity.ts';

const FEATURES = [
  'aggregate_metric',
  'analytics',
  'archive',
  'ccr',
  'data_streams',
  'data_tiers',
  'enrich',
  'enterprise_search',
  'eql',
  'esql',
  'frozen_indices',
  'graph',
  'ilm',
  'logsdb',
  'logstash',
  'ml',
  'monitoring',
  'rollup',
  'searchable_snapshots',
  'security',
  'slm',
  'spatial',
  'sql',
  'transform',
  'universal_profiling',
  'voting_only',
  'watcher',
] as const;
const CATEGORIES: readonly string[] = ['build', 'license', 'features'];
const LICENSE_PARAMS = ['accept_enterprise', 'local', 'master_timeout', 'timeout'];

/** The start of 2025: the licence is as old as the release whose behaviour is answered. */
const ISSUED = Date.UTC(2025, 0, 1);

const features = (): ReplyObject =>
  Object.fromEntries(FEATURES.map((name) => [name, { available: false, enabled: false }]));

function license(_: Call, services: Services): Reply {
  refuseInOpenSearch(services, '_license');
  return {
    body: {
      license: {
        status: 'active',
        uid: clusterUuid(services),
        type: 'basic',
        issue_date: new Date(ISSUED).toISOString(),
        issue_date_in_millis: ISSUED,
        max_nodes: 1000,
        max_resource_units: null,
        issued_to: services.options.clusterName,
        issuer: services.options.clusterName,
        start_date_in_millis: -1,
      },
    },
  };
}

function xpack({ params }: Call, services: Services): Reply {
  refuseInOpenSearch(services, '_xpack');
  const categories = params.list('categories') ?? CATEGORIES;
  const unknown = categories.find((name) => !CATEGORIES.includes(name));
  if (unknown !== undefined)
    throw illegalArgument(`[categories] takes build, license and features, not [${unknown}]`);
  const { build_hash, build_date } = version('elasticsearch');
  const uid = clusterUuid(services);
  return {
    body: {
      build: categories.includes('build') ? { hash: build_hash, date: build_date } : undefined,
      license: categories.includes('license')
        ? { uid, type: 'basic', mode: 'basic', status: 'active' }
        : undefined,
      features: categories.includes('features') ? features() : undefined,
      tagline: params.boolean('human') === false ? undefined : 'You know, for X',
    },
  };
}

function usage({ method, uri }: Call, { options }: Services): Reply {
  if (options.compat === 'elasticsearch') return { body: features() };
  return { status: 400, body: { error: `no handler found for uri [${uri}] and method [${method}]` } };
}

/** There these are names of indices. */
function refuseInOpenSearch({ options }: Services, name: string): void {
  if (options.compat === 'elasticsearch') return;
  throw new EngineError(
    'invalid_index_name_exception',
    `Invalid index name [${name}], must not start with '_'.`,
    { details: { index: name, index_uuid: '_na_' } },
  );
}

/** The rows of this family. */
export const licenseRoutes: readonly Route[] = [
  { methods: ['GET'], path: '/_license', params: LICENSE_PARAMS, handle: license },
  { methods: ['GET'], path: '/_xpack', params: [...LICENSE_PARAMS, 'categories'], handle: xpack },
  { methods: ['GET'], path: '/_xpack/usage', params: LICENSE_PARAMS, handle: usage },
];
