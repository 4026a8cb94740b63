// The `_security/api_key` endpoints of Elasticsearch, over the same keys as `/api/keys`.

import { EngineError, illegalArgument, isObject, type JsonObject, type JsonValue } from '@octavo/engine';
import { type ApiKey, RecordsError } from '@octavo/records';
import { allows } from '../../access/callers/principal.ts';
import { checkFilter } from '../../access/keys/grants.ts';
import type { KeyStore } from '../../access/keys/key-store.ts';
import { encodedKey } from '../../access/keys/secrets.ts';
import { PROBLEMS, Problem } from '../../errors/problem.ts';
import { validationError } from '../../errors/validation-error.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import { parseMillis } from '../router/query-params.ts';
import type { Call, Reply, Services } from '../router/route.ts';
import { grantOfRoles, rolesOfGrant } from './privileges.ts';

const CREATE_MEMBERS: ReadonlySet<string> = new Set(['name', 'expiration', 'role_descriptors', 'metadata']);

/** POST and PUT `/_security/api_key`. */
export async function createApiKey(call: Call, services: Services): Promise<Reply> {
  const keys = requireKeys(services, 'write', 'cluster:admin/xpack/security/api_key/create');
  const body = call.object();
  for (const member of Object.keys(body)) {
    if (!CREATE_MEMBERS.has(member)) throw illegalArgument(`[api_key] unknown field [${member}]`);
  }
  const { name, expiration, metadata = null } = body;
  if (typeof name !== 'string' || name === '') throw validationError(['api key name is required']);
  if (name.length > 256) throw validationError(['api key name may not be more than 256 characters long']);
  if (metadata !== null && !isObject(metadata)) throw illegalArgument('[metadata] must be an object');
  const roles = body['role_descriptors'] ?? {};
  if (!isObject(roles)) throw illegalArgument('[role_descriptors] must be an object');
  const { principal } = services;
  // Without roles a key has the rights of its creator.
  const grant = grantOfRoles(roles) ?? {
    scopes: principal.scopes,
    indexPatterns: principal.indexPatterns,
    documentFilter: principal.documentFilter,
  };
  const expiresAt =
    expiration === undefined || expiration === null ? undefined : Date.now() + parseLife(expiration);
  const made = await asWire(async () => {
    if (grant.documentFilter !== undefined) checkFilter(grant.documentFilter as JsonObject, 'query');
    return await keys.create(principal, { ...grant, name, expiresAt, metadata: metadata ?? undefined });
  });
  const { id, secret } = made.credentials;
  return {
    body: {
      id,
      name,
      ...(expiresAt === undefined ? {} : { expiration: expiresAt }),
      api_key: secret,
      encoded: encodedKey(made.credentials),
    },
  };
}

/** GET `/_security/api_key`: by id, by name with `*`, one's own, or all. */
export function getApiKeys(call: Call, services: Services): Reply {
  const found = selectKeys(
    call,
    services,
    {
      ids: call.params.has('id') ? [call.params.string('id')!] : undefined,
      name: call.params.string('name'),
      owner: call.params.boolean('owner') ?? false,
    },
    'read',
  );
  const active = call.params.boolean('active_only') ?? false;
  const shown = active ? found.filter((key) => isActive(key)) : found;
  return { body: { api_keys: shown.map(keyBody) } };
}

const INVALIDATE_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'ids',
  'name',
  'owner',
  'realm_name',
  'username',
]);

/** DELETE `/_security/api_key`. */
export async function invalidateApiKeys(call: Call, services: Services): Promise<Reply> {
  const body = call.object();
  for (const member of Object.keys(body)) {
    if (!INVALIDATE_MEMBERS.has(member))
      throw illegalArgument(`[api_key_invalidate] unknown field [${member}]`);
  }
  const ids = body['ids'] ?? (typeof body['id'] === 'string' ? [body['id']] : undefined);
  const name = body['name'];
  if (ids !== undefined && !(Array.isArray(ids) && ids.every((each) => typeof each === 'string'))) {
    throw illegalArgument('[ids] must be texts');
  }
  const owner = body['owner'] === true;
  if (ids === undefined && typeof name !== 'string' && !owner) {
    throw validationError([
      'One of [api key id(s), api key name, username, realm name] must be specified if [owner] flag is false',
    ]);
  }
  const found = selectKeys(
    call,
    services,
    { ids: ids as string[] | undefined, name: typeof name === 'string' ? name : undefined, owner },
    'write',
  );
  const done: string[] = [];
  const before: string[] = [];
  for (const key of found) {
    if (key.revokedAt !== undefined) before.push(key.id);
    else {
      await asWire(() => services.keys!.revoke(services.principal, key.id));
      done.push(key.id);
    }
  }
  return {
    body: { invalidated_api_keys: done, previously_invalidated_api_keys: before, error_count: 0 },
  };
}

/** GET `/_security/_authenticate`: the caller. */
export function authenticate(_call: Call, { principal }: Services): Reply {
  const isKey = principal.id.startsWith('key:');
  const realm = isKey ? { name: '_es_api_key', type: '_es_api_key' } : { name: 'octavo', type: 'octavo' };
  return {
    body: {
      username: principal.id,
      roles: [...principal.scopes],
      full_name: principal.name ?? null,
      email: null,
      metadata: {},
      enabled: true,
      authentication_realm: realm,
      lookup_realm: realm,
      authentication_type: isKey ? 'api_key' : principal.id === 'anonymous' ? 'anonymous' : 'token',
      ...(isKey ? { api_key: { id: principal.id.slice(4), name: principal.name ?? '' } } : {}),
    },
  };
}

interface Choice {
  readonly ids: readonly string[] | undefined;
  readonly name: string | undefined;
  readonly owner: boolean;
}

/** The keys that a call selects. The caller's own keys need no scope. */
function selectKeys(_call: Call, services: Services, choice: Choice, verb: 'read' | 'write'): ApiKey[] {
  const action = verb === 'read' ? 'get' : 'invalidate';
  const { principal } = services;
  const own = choice.owner || (choice.ids?.length === 1 && `key:${choice.ids[0]}` === principal.id);
  const keys = requireKeys(
    services,
    own ? undefined : verb,
    `cluster:admin/xpack/security/api_key/${action}`,
  );
  const { ids, name } = choice;
  const found = keys.ring
    .all()
    .filter(
      (key) =>
        (ids === undefined || ids.includes(key.id)) &&
        (name === undefined || matchesWildcard(name, key.name)) &&
        (!own || key.createdBy === principal.id || `key:${key.id}` === principal.id),
    );
  if (verb === 'read' && ids !== undefined && found.length === 0) {
    throw new EngineError('resource_not_found_exception', `api key with id [${ids[0]}] is not found`);
  }
  return found;
}

function requireKeys(
  { keys, principal }: Services,
  verb: 'read' | 'write' | undefined,
  action: string,
): KeyStore {
  if (keys === undefined) throw illegalArgument('this server stores no keys');
  if (verb === undefined || allows(principal, 'keys', verb)) return keys;
  throw new EngineError(
    'security_exception',
    `action [${action}] is unauthorized for API key [${principal.name ?? principal.id}]: it has no scope keys:${verb}`,
  );
}

function parseLife(value: JsonValue): number {
  if (typeof value !== 'string') throw illegalArgument('[expiration] must be a duration such as [1d]');
  const life = parseMillis(value, 'expiration');
  if (life > 0) return life;
  throw validationError([`API key expiration must be in the future, found [${value}]`]);
}

function isActive(key: ApiKey): boolean {
  return key.revokedAt === undefined && (key.expiresAt ?? Infinity) > Date.now();
}

function keyBody(key: ApiKey): ReplyObject {
  return {
    id: key.id,
    name: key.name,
    type: 'rest',
    creation: key.createdAt,
    ...(key.expiresAt === undefined ? {} : { expiration: key.expiresAt }),
    invalidated: key.revokedAt !== undefined,
    ...(key.revokedAt === undefined ? {} : { invalidation: key.revokedAt }),
    username: key.createdBy,
    realm: 'octavo',
    metadata: (key.metadata ?? {}) as JsonObject,
    role_descriptors: rolesOfGrant(key),
  };
}

/** Turns errors of records and of the application API into errors of the wire. */
async function asWire<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof RecordsError) {
      throw new EngineError('resource_not_found_exception', thrown.message, { status: thrown.status });
    }
    if (!(thrown instanceof Problem)) throw thrown;
    const { status } = PROBLEMS[thrown.code];
    throw new EngineError(
      status === 403 ? 'security_exception' : 'illegal_argument_exception',
      thrown.message,
      { status },
    );
  }
}
