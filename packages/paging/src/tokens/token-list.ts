// Lists with tokens between their pages. A list holds no state: every page is a function of its token. So any
// number of readers and exports run at the same time, after restarts and on other stores.

import type { Anchor } from '../order.ts';
import type { PageSource } from '../source.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Sealer } from './sealer.ts';
import { openToken, type Position, readToken, sealToken } from './token.ts';

/** The fingerprint, caller and lifetime that the tokens of a list carry. */
export interface TokenListOptions {
  /** Hashes of filter and order; see `fingerprint`. */
  readonly fingerprint: Fingerprint;
  /** Absent: tokens are in the open form. */
  readonly sealer?: Sealer;
  readonly principal?: string;
  /** The lifetime of a token in milliseconds. Absent: no expiry. */
  readonly lifetime?: number;
  /** Milliseconds since 1970. @default Date.now */
  now?(): number;
}

/** A page with the tokens of its neighbours. */
export interface TokenPage<T> {
  /** In list order. */
  readonly items: readonly T[];
  /** Absent at the end. */
  readonly next: string | undefined;
  /** Absent at the start. */
  readonly prev: string | undefined;
  /** See `SourcePage`. */
  readonly renewed: boolean;
}

/** A list with tokens. */
export interface TokenList<T> {
  /** The page of a token (absent: the first page). Throws CursorError for tokens that cannot be used. */
  page(request: { readonly token?: string; readonly size: number }): Promise<TokenPage<T>>;
  /** All pages from a token on, each with its resume token. Goes backwards from a `prev` token. */
  export(request: {
    readonly token?: string;
    readonly size: number;
  }): AsyncGenerator<TokenPage<T>, void, undefined>;
}

/** A token list over a source. A `prev` token can lead to an empty page if all items before it were deleted. */
export function tokenList<T>(source: PageSource<T>, options: TokenListOptions): TokenList<T> {
  const { fingerprint, sealer, principal, lifetime, now = Date.now } = options;

  const tokenAt = async (anchor: Anchor, backwards: boolean): Promise<string> => {
    const position: Position = {
      mode: 'sort',
      tuple: anchor.tuple,
      id: anchor.id,
      backwards,
      fingerprint,
      ...(principal === undefined ? {} : { principal }),
      ...(lifetime === undefined ? {} : { expiresAt: now() + lifetime }),
    };
    return sealer === undefined ? openToken(position) : await sealToken(position, sealer);
  };

  const positionOf = async (token: string): Promise<{ at: Anchor; backwards: boolean }> => {
    const expected = { fingerprint, now: now(), allowOpen: sealer === undefined };
    const position = await readToken(
      token,
      { ...expected, ...(principal === undefined ? {} : { principal }) },
      sealer,
    );
    return { at: { tuple: position.tuple, id: position.id ?? '' }, backwards: position.backwards };
  };

  const page: TokenList<T>['page'] = async ({ token, size }) => {
    const start = token === undefined ? { backwards: false } : await positionOf(token);
    const { items, more, renewed = false } = await source.page({ ...start, size });
    const [first, last] = [items[0], items.at(-1)];
    if (first === undefined || last === undefined)
      return { items, next: undefined, prev: undefined, renewed };
    // On the side where the walk came from there is at least the item that the token names.
    const hasOrigin = token !== undefined;
    const hasNext = start.backwards ? hasOrigin : more;
    const hasPrev = start.backwards ? more : hasOrigin;
    return {
      items,
      next: hasNext ? await tokenAt(source.anchor(last), false) : undefined,
      prev: hasPrev ? await tokenAt(source.anchor(first), true) : undefined,
      renewed,
    };
  };

  return {
    page,
    async *export({ token, size }) {
      const backwards = token !== undefined && (await positionOf(token)).backwards;
      let at = token;
      for (;;) {
        const got = await page({ size, ...(at === undefined ? {} : { token: at }) });
        if (got.items.length > 0) yield got;
        at = backwards ? got.prev : got.next;
        if (at === undefined) return;
      }
    },
  };
}
