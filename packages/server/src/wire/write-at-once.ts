// How is a document written that comes in the plainest form? `/index/_doc/id` or `/index/_create/id` without parameters goes
// from its head to the engine, and its fate is printed as text. Everything else, and every error, is left to the long way;
// both say the same.

import type { WriteOp } from '@octavo/engine';
import type { PlainRequest } from '../lane/request.ts';
import { WORTH_ENCODING } from './encoding.ts';
import type { Exchange } from './exchange.ts';
import type { PlainAnswers } from './plain-answers.ts';
import type { Services } from './route.ts';
import { placed, writeStatus } from './write-reply.ts';
import { WriteText } from './write-text.ts';

/** Names and ids that need no decoding, and are none of endpoints. */
const TARGET = /^\/([a-z0-9][a-z0-9._-]*)\/(_doc|_create)\/([A-Za-z0-9.~:@=-][A-Za-z0-9._~:@=-]{0,169})$/;
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
    exchange: Exchange,
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
    this.#write({ kind, index, id, source: body }, own, services, exchange).catch(refuse);
    return true;
  }

  async #write(op: WriteOp, own: readonly string[], services: Services, exchange: Exchange): Promise<void> {
    const { engine, connections } = services;
    const [result] = await engine.write([op]);
    if (result!.error !== undefined) throw placed(result!.error, engine, result!.index);
    const body = `{${this.#text.of(result!, engine, false)}}`;
    const status = writeStatus(result!);
    const headers = [...own];
    if (status === 201) {
      const place = `${exchange.mount}/${result!.index}/_doc/${encodeURIComponent(op.id!)}`;
      // Before the content type, as the long way has it.
      headers.splice(-2, 0, 'location', place);
    }
    if (Buffer.byteLength(body) >= WORTH_ENCODING) headers.push('vary', 'accept-encoding');
    exchange.send(status, headers, body, connections);
  }
}
