// Which headers has the answer to a plain request, and is it one? One that asks for JSON as it is, sends JSON as it is, and
// wants nothing echoed.

import type { IncomingHttpHeaders } from 'node:http';
import { FixedHeaders } from '../lane/printed.ts';
import { chosen } from './encoding.ts';
import { acceptsBody, answerType, isForeign } from './media.ts';

/** Headers of answers, by those of requests. */
export class PlainAnswers {
  /** Headers of every answer, printed. */
  readonly brand: FixedHeaders;
  readonly #known = new WeakMap<IncomingHttpHeaders, readonly string[] | null>();

  constructor(brand: readonly string[]) {
    this.brand = new FixedHeaders(brand);
  }

  /** Headers for who sends these, names and values in turn; null where they ask for something else. */
  headersFor(headers: IncomingHttpHeaders): readonly string[] | null {
    const known = this.#known.get(headers);
    if (known !== undefined) return known;
    const { accept, 'content-type': type, 'content-encoding': encoding } = headers;
    const accepted = headers['accept-encoding'];
    const isPlain =
      acceptsBody(type) &&
      !isForeign(accept) &&
      (encoding === undefined || encoding === 'identity') &&
      (accepted === undefined || chosen(String(accepted)) === undefined) &&
      headers['x-opaque-id'] === undefined;
    const own = isPlain ? [...this.brand.pairs, 'content-type', answerType(accept)] : null;
    this.#known.set(headers, own);
    return own;
  }
}
