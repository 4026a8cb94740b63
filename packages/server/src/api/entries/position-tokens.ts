// Seals positions in these lists: the stretch next to a page (`next`, `prev`), and the state that a walk by
// page numbers is pinned to (`as_of`).

import { CursorError, type Position } from '@octavo/paging';
import type { ListSection, Pin } from '@octavo/records';
import { Problem } from '../../errors/problem.ts';
import { openListToken, sealListToken, type TokenListing } from '../http/list-tokens.ts';
import type { ApiServices } from '../resource.ts';
import type { ListQuery, OpenedTokens } from './list-query.ts';

/** Opens the tokens of a query. Throws CursorError, and Problem for an expired pin. */
export async function openTokens(
  services: ApiServices,
  listing: TokenListing,
  query: ListQuery,
): Promise<OpenedTokens> {
  const token = query.next_token ?? query.prev_token;
  return {
    stretch:
      token === undefined ? undefined : stretchOf(await openListToken(services.sealer, listing, token)),
    pin: query.as_of === undefined ? undefined : await openPin(services, listing, query.as_of),
  };
}

export async function sealStretch(
  services: ApiServices,
  listing: TokenListing,
  { towards, from, until }: ListSection,
): Promise<string> {
  const position = { tuple: [from ?? null, until ?? null], backwards: towards === 'newer' };
  return await sealListToken(services.sealer, listing, position);
}

export async function sealPin(services: ApiServices, listing: TokenListing, pin: Pin): Promise<string> {
  const tuple = [pin.positions, pin.change, pin.total, pin.time];
  return await sealListToken(services.sealer, pinListing(listing), { tuple }, pin.time);
}

async function openPin(services: ApiServices, listing: TokenListing, token: string): Promise<Pin> {
  try {
    const { tuple } = await openListToken(services.sealer, pinListing(listing), token);
    const [positions, change, total, time] = tuple;
    if (
      typeof positions === 'number' &&
      typeof change === 'number' &&
      typeof total === 'number' &&
      typeof time === 'number'
    )
      return { positions, change, total, time };
  } catch (error) {
    if (!(error instanceof CursorError) || error.code !== 'cursor-expired') throw error;
    throw new Problem(
      'snapshot-expired',
      'The walk by page numbers began more than 24 hours ago: start again at page 1, without as_of.',
      { field: 'as_of' },
    );
  }
  throw new CursorError('cursor-invalid');
}

/** Keeps pins and stretches apart: neither is accepted as the other. */
function pinListing(listing: TokenListing): TokenListing {
  return { ...listing, listing: `${listing.listing} as_of` };
}

function stretchOf({ tuple: [from, until], backwards }: Position): ListSection {
  return {
    towards: backwards ? 'newer' : 'older',
    from: typeof from === 'number' ? from : undefined,
    until: typeof until === 'number' ? until : undefined,
  };
}
