// The reply to a bulk, written item by item into one buffer. Its head is written last, in front of the items,
// when it is known how long the bulk took and whether an item failed.

import { type Engine, JsonWriter, type WriteResult } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { printReply } from '../router/print-reply.ts';
import { ResultWriter } from './result-writer.ts';

/** Room for `{"took":…,"errors":…,"items":[`. */
const HEAD_BYTES = 64;
/** How much longer than the first item the others may be. */
const SPARE_BYTES = 16;
const FIRST_BYTES = 1_024;

/** The reply to one bulk. */
export class BulkReply {
  readonly #results: ResultWriter;
  readonly #out: JsonWriter;
  /** Items to come, about: room is made for all of them at once. */
  #expected: number;
  #failed = false;

  /** `forced`: the bulk made its writes visible by `refresh=true`. */
  constructor(engine: Engine, forced: boolean, expected: number) {
    this.#out = new JsonWriter(Buffer.allocUnsafe(FIRST_BYTES), HEAD_BYTES);
    this.#results = new ResultWriter(engine, forced, this.#out);
    this.#expected = expected;
  }

  /** An action that was carried out. `get` is the document that an update returns. */
  written(action: string, result: WriteResult, get: ReplyObject | undefined): void {
    const start = this.#begin();
    this.#results.put(action, result, get);
    this.#end(start);
  }

  /** An action that failed. */
  failed(action: string, item: ReplyObject): void {
    this.#failed = true;
    const start = this.#begin();
    this.#out.raw(printReply({ [action]: item }));
    this.#end(start);
  }

  /** The whole reply. `took` is in ms. */
  finish(took: number): Buffer {
    const out = this.#out;
    out.ascii(']}');
    const head = `{"took":${took},"errors":${this.#failed},"items":[`;
    const start = HEAD_BYTES - head.length;
    out.bytes.latin1Write(head, start, head.length);
    return out.bytes.subarray(start, out.at);
  }

  #begin(): number {
    if (this.#out.at > HEAD_BYTES) this.#out.ascii(',');
    return this.#out.at;
  }

  #end(start: number): void {
    const isFirst = start === HEAD_BYTES;
    this.#expected--;
    if (isFirst && this.#expected > 0)
      this.#out.reserve(this.#expected * (this.#out.at - start + SPARE_BYTES));
  }
}
