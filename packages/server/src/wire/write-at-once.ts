// How is a document written that comes in the plainest form? `/index/_doc/id` or `/index/_create/id` without parameters goes
// from its head to the engine, and its fate is printed as text. Everything else, and every error, is left to the long way;
// both say the same.

import type { WriteResult } from '@octavo/engine';
import type { PlainRequest } from '../lane/request.ts';
import { WORTH_ENCODING } from './encoding.ts';
import type { LaneExchange } from './exchange.ts';
import type { PlainAnswers } from './plain-answers.ts';
import type { Services } from './route.ts';
import { placed, writeStatus } from './write-reply.ts';
import { WriteText } from './write-text.ts';

/** Names and ids that need no decoding, and are none of endpoints. */
const TARGET = /^\/([a-z0-9][a-z0-9._-]*)\/(_doc|_create)\/([A-Za-z0-9.~:@=-][A-Za-z0-9._~:@=-]{0,169})$/;
/** What stands in percent form in a path that is told. */
const CODED = /[:=@]/;
/** What a byte order mark begins with: the long way reads over it. */
const MARK = 0xef;

/** Writes plain documents. */
export class WritesAtOnce {
  readonly #answers: PlainAnswers;
  readonly #text = new WriteText();

  constructor(answers: PlainAnswers) {
    this.#answers = answers;
  }

  /** True where the exchange will be answered, by `refuse` where the document was refused; false where nothing was done. */
  take(
    { method, target, headers, body }: PlainRequest,
    services: Services,
    exchange: LaneExchange,
    refuse: (thrown: unknown) => void,
  ): boolean {
    if ((method !== 'PUT' && method !== 'POST') || body.length === 0 || body[0] === MARK) return false;
    const found = TARGET.exec(target);
    if (found === null || target.length > services.limits.uriBytes) return false;
    const own = this.#answers.headersFor(headers);
    if (own === null) return false;
    const [, index = '', endpoint = '', id = ''] = found;
    exchange.routeName = `/{index}/${endpoint}/{id}`;
    const kind = endpoint === '_doc' ? 'index' : 'create';
    // Not awaited: what is kept for a function that waits is more than all else that is kept of the request.
    const written = (results: readonly WriteResult[]): void =>
      this.#tell(results[0]!, id, own, services, exchange);
    try {
      services.engine
        .write([{ kind, index, id, source: body }])
        .then(written)
        .catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
    return true;
  }

  #tell(
    result: WriteResult,
    id: string,
    own: readonly string[],
    { engine }: Services,
    exchange: LaneExchange,
  ): void {
    if (result.error !== undefined) throw placed(result.error, engine, result.index);
    const body = `{${this.#text.of(result, engine, false, `"${id}"`)}}`;
    const status = writeStatus(result);
    const isAscii = this.#text.isAscii;
    const bodyBytes = isAscii ? body.length : Buffer.byteLength(body);
    // The brand of all answers is printed once; behind it stands what is this one's own.
    const { brand } = this.#answers;
    const headers = own.slice(brand.pairs.length);
    if (status === 201) {
      const name = CODED.test(id) ? encodeURIComponent(id) : id;
      // Before the content type, as the long way has it.
      headers.unshift('location', `${exchange.mount}/${result.index}/_doc/${name}`);
    }
    if (bodyBytes >= WORTH_ENCODING) headers.push('vary', 'accept-encoding');
    exchange.reply({ status, fixed: brand, headers, body, bodyBytes });
  }
}
