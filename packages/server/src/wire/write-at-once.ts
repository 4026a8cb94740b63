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
import { WriteShape } from './write-shape.ts';

/** Names and ids that need no decoding, and are none of endpoints. */
const TARGET = /^\/([a-z0-9][a-z0-9._-]*)\/(_doc|_create)\/([A-Za-z0-9.~:@=-][A-Za-z0-9._~:@=-]{0,169})$/;
/** What stands in percent form in a path that is told. */
const CODED = /[:=@]/;
const VARY = 'vary: accept-encoding\r\n';
/** What a byte order mark begins with: the long way reads over it. */
const MARK = 0xef;

/** Writes plain documents. */
export class WritesAtOnce {
  readonly #answers: PlainAnswers;
  readonly #shape: WriteShape;

  constructor(answers: PlainAnswers) {
    this.#answers = answers;
    this.#shape = new WriteShape(answers.brand);
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
    const isCreate = endpoint === '_create';
    // Not put together: tallies compare it with the last one, and what is put together is copied for that.
    exchange.routeName = isCreate ? '/{index}/_create/{id}' : '/{index}/_doc/{id}';
    const kind = isCreate ? 'create' : 'index';
    // Not awaited: what is kept for a function that waits is more than all else that is kept of the request.
    const written = (results: readonly WriteResult[]): void => {
      try {
        this.#tell(results[0]!, id, own, services, exchange);
      } catch (thrown) {
        refuse(thrown);
      }
    };
    try {
      services.engine.write([{ kind, index, id, source: body }]).then(written, refuse);
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
    const shape = this.#shape;
    const body = shape.body(result, engine, id);
    const bodyBytes = shape.isAscii ? body.length : Buffer.byteLength(body);
    const status = writeStatus(result);
    const name = CODED.test(id) ? encodeURIComponent(id) : id;
    const created = status === 201 ? name : undefined;
    let lines = shape.lines(own, created, exchange.mount, result.index);
    if (bodyBytes >= WORTH_ENCODING) lines += VARY;
    exchange.reply(status, lines, body, bodyBytes);
  }
}
