// The tokens of the API's lists: sealed, and bound to the caller, the list and its filters. A token grants
// nothing; it only says where to continue.

import {
  type Fingerprint,
  fingerprint,
  type Position,
  readToken,
  type Sealer,
  sealToken,
  type Tuple,
} from '@octavo/paging';
import type { Principal } from '../../access/callers/principal.ts';

/** How long a token is valid. */
const TOKEN_LIFE_MS: number = 24 * 3_600_000;

/** A caller's list. */
export interface TokenListing {
  readonly principal: Principal;
  /** `newsfeed`, `chats/a/messages`: the path below `/api`, without parameters. */
  readonly listing: string;
  /**
   * Everything that decides which items there are and in which order; never the page size. A changed member
   * is named in the error.
   */
  readonly filters?: Readonly<Record<string, unknown>>;
}

/** A position between two items. */
interface ListPosition {
  /** Sort values of the item next to the page; integers may be bigint. */
  readonly tuple: Tuple;
  /** Breaks ties. */
  readonly id?: string;
  /** True for tokens that lead to the page before. @default false */
  readonly backwards?: boolean;
  /** The snapshot that the walk stands on. */
  readonly snapshot?: number;
}

/** Seals a position. `now` in ms since 1970. Throws CursorError if the token would exceed 2 KiB. */
export async function sealListToken(
  sealer: Sealer,
  list: TokenListing,
  position: ListPosition,
  now: number = Date.now(),
): Promise<string> {
  return await sealToken(
    {
      mode: 'feed',
      tuple: position.tuple,
      ...(position.id === undefined ? {} : { id: position.id }),
      backwards: position.backwards ?? false,
      ...(position.snapshot === undefined ? {} : { snapshot: position.snapshot }),
      fingerprint: fingerprintOf(list),
      principal: list.principal.id,
      expiresAt: now + TOKEN_LIFE_MS,
    },
    sealer,
  );
}

/** Opens a token. Throws only CursorError, which the API answers as a `cursor-…` problem. */
export async function openListToken(
  sealer: Sealer,
  list: TokenListing,
  token: string,
  now: number = Date.now(),
): Promise<Position> {
  return await readToken(
    token,
    { fingerprint: fingerprintOf(list), principal: list.principal.id, now, allowOpen: false },
    sealer,
  );
}

function fingerprintOf(list: TokenListing): Fingerprint {
  return fingerprint({ ...list.filters, listing: list.listing });
}
