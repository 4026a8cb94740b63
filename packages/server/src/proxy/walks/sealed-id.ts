// The sealed id of a scroll or point in time over a cluster: the cluster's own id and the state of the walk,
// encrypted and authenticated. No other caller can use it; any server with the same key can continue the
// walk.

import { EngineError, illegalArgument, type JsonObject, parseJson, stringifyJson } from '@octavo/engine';
import type { Services } from '../../wire/router/route.ts';
import type { LeaseKind } from '../../wire/search/leases/lease-id.ts';

/** The content of an id. */
export interface SealedWalkId {
  /** The same for all ids of one walk. */
  readonly name: string;
  /** The cluster's own id. */
  readonly pit: string;
  /** The indices as they were resolved for the caller. Absent if it named none and may see all. */
  readonly path?: string | undefined;
  /** A filter that every document must match. */
  readonly narrowing?: JsonObject | undefined;
  /** For a scroll: its state. */
  readonly walk?: JsonObject | undefined;
}

export async function sealId(kind: LeaseKind, state: SealedWalkId, services: Services): Promise<string> {
  const { name, pit, path, narrowing, walk } = state;
  const payload: JsonObject = {
    ...{ kind, name, pit, of: services.principal.id },
    ...(path === undefined ? {} : { path }),
    ...(narrowing === undefined ? {} : { narrowing }),
    ...(walk === undefined ? {} : { walk }),
  };
  const bytes = new Uint8Array(Buffer.from(stringifyJson(payload), 'utf8'));
  const { keyId, bytes: sealed } = await services.sealer.seal(bytes);
  return `${Buffer.from(keyId, 'utf8').toString('base64url')}.${Buffer.from(sealed).toString('base64url')}`;
}

/**
 * Opens an id. Throws illegal_argument_exception for a malformed id, security_exception for another caller's.
 */
export async function openId(kind: LeaseKind, text: string, services: Services): Promise<SealedWalkId> {
  const malformed = illegalArgument(kind === 'scroll' ? 'Cannot parse scroll id' : `invalid id: [${text}]`);
  const [, key, sealed] = /^([\w-]{1,64})\.([\w-]+)$/.exec(text) ?? [];
  if (key === undefined || sealed === undefined) throw malformed;
  const payload = await services.sealer.open(
    Buffer.from(key, 'base64url').toString('utf8'),
    new Uint8Array(Buffer.from(sealed, 'base64url')),
  );
  if (payload === undefined) throw malformed;
  const state = parseJson(payload) as JsonObject;
  if (state['kind'] !== kind) throw malformed;
  if (state['of'] !== services.principal.id) {
    throw new EngineError('security_exception', 'the search context belongs to another caller');
  }
  return state as unknown as SealedWalkId;
}
