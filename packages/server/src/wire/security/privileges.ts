// Translates role descriptors of Elasticsearch into scopes, index patterns and one document filter.
// Descriptors that have no exact translation are refused by name, never widened.

import { illegalArgument, isObject, type JsonObject, type JsonValue, parseJson } from '@octavo/engine';
import type { KeyGrant } from '@octavo/records';
import type { AccessScope } from '../../access/callers/principal.ts';

/** The part of a grant that roles decide. */
type RoleGrant = Pick<KeyGrant, 'scopes' | 'indexPatterns' | 'documentFilter'>;

const CLUSTER: Readonly<Record<string, readonly AccessScope[]>> = {
  all: ['keys:admin', 'admin:admin'],
  monitor: [],
  manage_api_key: ['keys:admin'],
  manage_security: ['keys:admin'],
};

/** Privileges that reading includes. */
const WITH_READ: ReadonlySet<string> = new Set(['view_index_metadata', 'monitor', 'read_cross_cluster']);

/** The grant of `role_descriptors`; undefined if there are none. Throws illegal_argument_exception. */
export function grantOfRoles(roles: JsonObject): RoleGrant | undefined {
  const parts = Object.entries(roles).map(([name, role]) => roleGrant(name, role));
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  const scopes = new Set<string>(first.scopes);
  for (const other of others) {
    if (!sameReach(first, other)) {
      throw illegalArgument(
        '[role_descriptors] with different indices, privileges on them or queries are not supported: make a key for each',
      );
    }
    for (const scope of other.scopes) scopes.add(scope);
  }
  return { ...first, scopes: [...scopes] };
}

function sameReach(a: RoleGrant, b: RoleGrant): boolean {
  const searches = (grant: RoleGrant): string =>
    grant.scopes.filter((scope) => scope.startsWith('search')).join();
  return (
    searches(a) === searches(b) &&
    JSON.stringify([a.indexPatterns, a.documentFilter]) ===
      JSON.stringify([b.indexPatterns, b.documentFilter])
  );
}

function roleGrant(name: string, role: JsonValue): RoleGrant {
  if (!isObject(role)) throw illegalArgument(`role [${name}] must be an object`);
  const scopes = new Set<string>();
  let reach: RoleGrant | undefined;
  for (const [member, value] of Object.entries(role)) {
    if (member === 'cluster')
      for (const each of texts(member, value)) for (const s of clusterScopes(each)) scopes.add(s);
    else if (member === 'indices' || member === 'index') reach = reachOf(name, value);
    else if (member === 'metadata' || member === 'transient_metadata' || member === 'description') continue;
    else if (isEmpty(value)) continue;
    else throw illegalArgument(`[${member}] of role [${name}] is not supported by this server`);
  }
  for (const scope of reach?.scopes ?? []) scopes.add(scope);
  const whole =
    scopes.has('admin:admin') && scopes.has('search:admin') && reach?.documentFilter === undefined;
  // The peer's superuser: all of the cluster and of every index.
  if (whole && reach?.indexPatterns?.includes('*') === true) return { scopes: ['*'] };
  return { scopes: [...scopes], indexPatterns: reach?.indexPatterns, documentFilter: reach?.documentFilter };
}

function clusterScopes(privilege: string): readonly AccessScope[] {
  if (Object.hasOwn(CLUSTER, privilege)) return CLUSTER[privilege]!;
  throw unsupported('cluster', privilege, Object.keys(CLUSTER));
}

function reachOf(role: string, value: JsonValue): RoleGrant | undefined {
  const entries = Array.isArray(value) ? value : [value];
  const grants = entries.map((entry) => entryGrant(role, entry));
  const [first] = grants;
  if (first === undefined) return undefined;
  const same = grants.every(
    (grant) =>
      JSON.stringify([grant.scopes, grant.documentFilter]) ===
      JSON.stringify([first.scopes, first.documentFilter]),
  );
  if (!same) {
    throw illegalArgument(
      `[indices] of role [${role}] with different privileges or queries are not supported: make a key for each`,
    );
  }
  return { ...first, indexPatterns: [...new Set(grants.flatMap((grant) => grant.indexPatterns ?? []))] };
}

function entryGrant(role: string, entry: JsonValue): RoleGrant {
  if (!isObject(entry)) throw illegalArgument(`[indices] of role [${role}] must be objects`);
  let documentFilter: JsonObject | undefined;
  for (const [member, value] of Object.entries(entry)) {
    if (member === 'names' || member === 'privileges') continue;
    if (member === 'query') documentFilter = queryOf(role, value);
    else if (member === 'allow_restricted_indices' && value === false) continue;
    else if (!isEmpty(value)) {
      throw illegalArgument(`[${member}] in [indices] of role [${role}] is not supported by this server`);
    }
  }
  const names = texts('names', entry['names'] ?? null);
  if (names.length === 0) throw illegalArgument(`[names] are missing in [indices] of role [${role}]`);
  return {
    scopes: [indexScope(texts('privileges', entry['privileges'] ?? null))],
    indexPatterns: names,
    documentFilter,
  };
}

/** The scope of index privileges: read; read and write; or all. Others are refused. */
function indexScope(privileges: readonly string[]): AccessScope {
  const has = new Set(privileges);
  if (has.has('all')) return 'search:admin';
  const unknown = privileges.find(
    (each) => each !== 'read' && each !== 'write' && each !== 'manage' && !WITH_READ.has(each),
  );
  if (unknown !== undefined)
    throw unsupported('index', unknown, ['all', 'read', 'write', 'manage', ...WITH_READ]);
  if (!has.has('read')) {
    throw illegalArgument(
      `index privileges [${privileges.join(',')}] without [read] are not supported: writing includes reading here`,
    );
  }
  if (has.has('manage') && !has.has('write')) {
    throw illegalArgument(
      'index privilege [manage] without [write] is not supported: managing includes writing here',
    );
  }
  return has.has('manage') ? 'search:admin' : has.has('write') ? 'search:write' : 'search:read';
}

function unsupported(kind: string, name: string, known: readonly string[]): Error {
  return illegalArgument(
    `${kind} privilege [${name}] is not supported by this server; there are [${known.join(', ')}]`,
  );
}

/** A query as an object or as its JSON text; the peer accepts both. */
function queryOf(role: string, value: JsonValue): JsonObject | undefined {
  if (value === null) return undefined;
  const query = typeof value === 'string' ? parseJson(Buffer.from(value, 'utf8')) : value;
  if (isObject(query)) return query;
  throw illegalArgument(`[query] in [indices] of role [${role}] must be a query`);
}

function texts(member: string, value: JsonValue): string[] {
  const list = Array.isArray(value) ? value : value === null ? [] : [value];
  if (list.every((each) => typeof each === 'string')) return list as string[];
  throw illegalArgument(`[${member}] must be texts`);
}

function isEmpty(value: JsonValue): boolean {
  if (value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** The role descriptors of a grant. */
export function rolesOfGrant(grant: RoleGrant): JsonObject {
  const { scopes } = grant;
  const all = scopes.includes('*');
  const search = scopes.find((scope) => scope.startsWith('search:'))?.slice('search:'.length);
  const privileges =
    all || search === 'admin' || search === '*' ? ['all'] : search === 'write' ? ['read', 'write'] : ['read'];
  const cluster = all
    ? ['all']
    : scopes.some((scope) => /^keys:(admin|\*)$/.test(scope))
      ? ['manage_api_key']
      : [];
  const indices: JsonObject[] =
    all || search !== undefined
      ? [
          {
            names: [...(grant.indexPatterns ?? ['*'])],
            privileges,
            ...(grant.documentFilter === undefined ? {} : { query: grant.documentFilter as JsonObject }),
            allow_restricted_indices: false,
          },
        ]
      : [];
  return { octavo: { cluster, indices, applications: [], run_as: [], metadata: {}, transient_metadata: {} } };
}
