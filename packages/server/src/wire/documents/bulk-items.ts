// How is the fate of each action of a bulk printed? As bytes right away: thousands of items of one shape would otherwise
// be thousands of trees (write-bytes.ts).

import type { Engine, WriteResult } from '@octavo/engine';
import { RawJson, type ReplyObject, type ReplyValue } from '../../json/reply-value.ts';
import { printReply } from '../router/print-reply.ts';
import { WriteBytes } from './write-bytes.ts';
import { writeBody, writeStatus } from './write-reply.ts';

/** Collects the items of one reply. */
export class BulkItems {
  readonly #engine: Engine;
  readonly #forced: boolean;
  readonly #writes: WriteBytes;

  /** `count`: as many as there will be, about. */
  constructor(engine: Engine, forced: boolean, count: number) {
    this.#engine = engine;
    this.#forced = forced;
    this.#writes = new WriteBytes(engine, forced, count);
  }

  /** An action that was carried out: the members of `writeBody`, and its status. */
  written(action: string, result: WriteResult): void {
    this.#writes.add(action, result);
  }

  /** The same with the document that an update asked for. */
  withGet(action: string, result: WriteResult, get: ReplyValue): void {
    const body = writeBody(this.#engine, result, this.#forced);
    body['get'] = get;
    body['status'] = writeStatus(result);
    this.tree(action, body);
  }

  /** An action that failed, or has more to tell. */
  tree(action: string, item: ReplyObject): void {
    this.#writes.printed(printReply({ [action]: item }));
  }

  /** The array of all items. */
  end(): RawJson {
    return new RawJson(this.#writes.end());
  }
}
