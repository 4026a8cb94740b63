// How is the fate of each action of a bulk printed? As text right away: thousands of items of one shape would otherwise
// be thousands of trees. What all items of an index share is printed once.

import type { Engine, WriteResult } from '@octavo/engine';
import { printReply } from './reply.ts';
import { RawJson, type ReplyObject, type ReplyValue } from './route.ts';
import { writeBody, writeStatus } from './write-reply.ts';
import { WriteText } from './write-text.ts';

/** Collects the items of one reply. */
export class BulkItems {
  readonly #engine: Engine;
  readonly #forced: boolean;
  #text = '';
  readonly #writes = new WriteText();

  constructor(engine: Engine, forced: boolean) {
    this.#engine = engine;
    this.#forced = forced;
  }

  /** An action that was carried out: the members of `writeBody`, and its status. */
  written(action: string, result: WriteResult): void {
    const members = this.#writes.of(result, this.#engine, this.#forced);
    this.#text += `${this.#text === '' ? '' : ','}{"${action}":{${members},"status":${writeStatus(result)}}}`;
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
    this.#text += `${this.#text === '' ? '' : ','}${printReply({ [action]: item }).toString('utf8')}`;
  }

  /** The array of all items. */
  end(): RawJson {
    return new RawJson(Buffer.from(`[${this.#text}]`, 'utf8'));
  }
}
