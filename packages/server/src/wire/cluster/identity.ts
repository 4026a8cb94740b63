// The identity of the server: GET /, version numbers, and the uuid of the cluster.

import { randomBytes } from 'node:crypto';
import type { Settings } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Reply, Route, Services } from '../router/route.ts';

const KIND = 'cluster';
const NAME = 'identity';

const UUIDS = new WeakMap<Settings, string>();

/** The uuid of the cluster: 22 URL-safe characters, made once and stored in the catalog. */
export function clusterUuid({ engine }: Pick<Services, 'engine'>): string {
  const cached = UUIDS.get(engine.settings);
  if (cached !== undefined) return cached;
  const stored = engine.settings.get(KIND, NAME);
  const isKept = typeof stored === 'string' && stored !== '';
  const uuid = isKept ? stored : randomBytes(16).toString('base64url');
  UUIDS.set(engine.settings, uuid);
  // The write is not awaited: an identity that is lost before it is stored has not been used yet.
  if (!isKept) engine.settings.put(KIND, NAME, uuid).catch(() => {});
  return uuid;
}

/** The version object of GET /. */
export function version(compat: 'opensearch' | 'elasticsearch'): ReplyObject {
  const build = {
    build_type: 'tar',
    build_hash: 'unknown',
    build_date: '2025-06-21T00:00:00.000000000Z',
    build_snapshot: false,
  };
  if (compat === 'opensearch') {
    return {
      distribution: 'opensearch',
      number: '3.1.0',
      ...build,
      lucene_version: '10.2.1',
      minimum_wire_compatibility_version: '2.19.0',
      minimum_index_compatibility_version: '2.0.0',
    };
  }
  return {
    number: '8.17.0',
    build_flavor: 'default',
    ...build,
    lucene_version: '9.12.0',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  };
}

/** The version number. */
export function versionNumber(compat: 'opensearch' | 'elasticsearch'): string {
  return compat === 'opensearch' ? '3.1.0' : '8.17.0';
}

/** GET /. */
function info(services: Services): Reply {
  const { options } = services;
  return {
    body: {
      name: options.nodeName,
      cluster_name: options.clusterName,
      cluster_uuid: clusterUuid(services),
      version: version(options.compat),
      tagline:
        options.compat === 'opensearch'
          ? 'The OpenSearch Project: https://opensearch.org/'
          : 'You Know, for Search',
    },
  };
}

/** The root path. */
export const identityRoutes: readonly Route[] = [
  { methods: ['GET', 'HEAD'], path: '/', params: [], handle: (_, services) => info(services) },
];
