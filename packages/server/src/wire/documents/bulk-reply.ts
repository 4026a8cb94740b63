// The items of the reply to a bulk, written one after the other into one buffer, and taken in parts.

import { type Engine, JsonWriter, type WriteResult } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { printReply } from '../router/print-reply.ts';
import { ResultWriter } from './result-writer.ts';

/** A part of most bulks fits. */
const FIRST_BYTES = 16_384;

/** Writes the items of one bulk. */
export class BulkItems {
  readonly #results: ResultWriter;
  readonly #out: JsonWriter;

  /** `forced`: the bulk made its writes visible by `refresh=true`. */
  constructor(engine: Engine, forced: boolean) {
    this.#out = new JsonWriter(Buffer.allocUnsafe(FIRST_BYTES), 0);
    this.#results = new ResultWriter(engine, forced, this.#out);
  }

  /** An action that was carried out. `get` is the document that an update returns. */
  written(action: string, result: WriteResult, get: ReplyObject | undefined): void {
    this.#begin();
    this.#results.put(action, result, get);
  }

  /** An action that failed. */
  failed(action: string, item: ReplyObject): void {
    this.#begin();
    this.#out.raw(printReply({ [action]: item }));
  }

  /** The items written since the last call, with commas between them. */
  take(): Buffer {
    const taken = Buffer.from(this.#out.bytes.subarray(0, this.#out.at));
    this.#out.at = 0;
    return taken;
  }

  #begin(): void {
    if (this.#out.at > 0) this.#out.ascii(',');
  }
}
