// How is any list handed out page by page, with tokens between the pages? A list here holds nothing: every page is a
// function of its token, so any number of readers and exports go on at once, after restarts and on other stores.

import type { Anchor } from '../order.ts';
import type { PageSource } from '../source.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Sealer } from './sealer.ts';
import { openToken, type Position, readToken, sealToken } from './token.ts';

/** What tokens of a list are bound to. */
export interface TokenListOptions {
  /** Of filter and order: see `fingerprint`. */
  readonly fingerprint: Fingerprint;
  /** Absent: tokens are in the open form. */
  readonly sealer?: Sealer;
  readonly principal?: string;
  /** Milliseconds that a token lives. Absent: for ever. */
  readonly lifetime?: number;
  /** Milliseconds since 1970. @default Date.now */
  now?(): number;
}

/** A page with its neighbours. */
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
  /** The page that a token points at (absent: the first). Throws CursorError for tokens that cannot be used. */
  page(request: { readonly token?: string; readonly size: number }): Promise<TokenPage<T>>;
  /** All pages from a token on, each with the token to resume from. Backwards after a `prev` token. */
  export(request: {
    readonly token?: string;
    readonly size: number;
  }): AsyncGenerator<TokenPage<T>, void, undefined>;
}

/** Puts tokens on a source. A `prev` of the first page read with a token can lead to an empty page if all before it went. */
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
    // On the side that the walk came from there was an item: the one that the token stands on.
    const came = token !== undefined;
    const ahead = start.backwards ? came : more;
    const behind = start.backwards ? more : came;
    return {
      items,
      next: ahead ? await tokenAt(source.anchor(last), false) : undefined,
      prev: behind ? await tokenAt(source.anchor(first), true) : undefined,
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
