// What is the id of a scroll or a point in time that the cluster holds for a caller? The cluster's own id and what is
// known of the walk, sealed: nobody reads or alters it, nobody else may use it, and any server with the same key may go on.

import { EngineError, illegalArgument, type JsonObject, parseJson, stringifyJson } from '@octavo/engine';
import type { Services } from '../../wire/router/route.ts';
import type { LeaseKind } from '../../wire/search/leases/lease-id.ts';

/** What an id says. */
export interface SealedState {
  /** The same for all ids of one walk. */
  readonly name: string;
  /** The cluster's own id. */
  readonly pit: string;
  /** The indices, as they were resolved for the caller; absent where it named none and may have all. */
  readonly path?: string | undefined;
  /** What every document must match. */
  readonly narrowing?: JsonObject | undefined;
  /** Of a scroll: where it stands. */
  readonly walk?: JsonObject | undefined;
}

/** The id that the caller gets. */
export async function sealId(kind: LeaseKind, state: SealedState, services: Services): Promise<string> {
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

/** Reads an id; throws illegal_argument_exception for what is none, security_exception for that of another caller. */
export async function openId(kind: LeaseKind, text: string, services: Services): Promise<SealedState> {
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
  return state as unknown as SealedState;
}
