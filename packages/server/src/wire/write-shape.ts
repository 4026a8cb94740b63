// How does the answer to a plain write read? Documents that go to one index and end the same way have all of it in common but
// id, version and number: headers and members are printed once for them.

import type { Engine, WriteResult } from '@octavo/engine';
import { type FixedHeaders, linesOf } from '../lane/printed.ts';
import { documentsPath } from './write-reply.ts';
import { WriteText } from './write-text.ts';

/** In place of what is each one's own. */
const GAP = '\u0000';

/** Prints answers; remembers what the last ones had in common. */
export class WriteShape {
  readonly #text = new WriteText();
  readonly #brand: FixedHeaders;
  #index = '';
  #type = '';
  #result = '';
  #info: ReturnType<Engine['indices']['info']>;
  #toId = '';
  #toVersion = '';
  #toNumber = '';
  #toEnd = '';
  #own: readonly string[] | undefined;
  #mount = '';
  #placeIndex = '';
  #toPlace = '';
  #toOwn = '';

  /** `brand`: headers of every answer. */
  constructor(brand: FixedHeaders) {
    this.#brand = brand;
  }

  /** True where all that was printed last is ASCII. */
  get isAscii(): boolean {
    return this.#text.isAscii;
  }

  /** The body; `id` is the one of the result, which needs no escapes. */
  body(result: WriteResult, engine: Engine, id: string): string {
    const { index, type, result: outcome } = result;
    const info = engine.indices.info(index);
    if (
      index !== this.#index ||
      outcome !== this.#result ||
      type !== this.#type ||
      info !== this.#info ||
      info === undefined
    ) {
      this.#index = index;
      this.#type = type;
      this.#result = outcome;
      this.#info = info;
      const members = this.#text.of(result, engine, false, `"${GAP}"`, GAP, GAP);
      const [toId = '', toVersion = '', toNumber = '', toEnd = ''] = `{${members}}`.split(GAP);
      this.#toId = toId;
      this.#toVersion = toVersion;
      this.#toNumber = toNumber;
      this.#toEnd = toEnd;
    }
    return this.#toId + id + this.#toVersion + result.version + this.#toNumber + result.seqNo + this.#toEnd;
  }

  /**
   * The lines of headers: the brand, where the document lies if it was created, and what is `own` to the client behind the
   * brand. Throws for what cannot be printed.
   */
  lines(own: readonly string[], created: string | undefined, mount: string, index: string): string {
    if (own !== this.#own) {
      this.#toOwn = linesOf(own.slice(this.#brand.pairs.length));
      this.#own = own;
    }
    if (created === undefined) return this.#brand.lines + this.#toOwn;
    if (mount !== this.#mount || index !== this.#placeIndex) {
      const place = mount + documentsPath(index, '_doc');
      // Before the content type, as the long way has it.
      this.#toPlace = this.#brand.lines + linesOf(['location', place]).slice(0, -2);
      this.#mount = mount;
      this.#placeIndex = index;
    }
    return `${this.#toPlace}${created}\r\n${this.#toOwn}`;
  }
}
