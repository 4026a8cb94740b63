// How is the fate of each action of a bulk printed? As text right away: thousands of items of one shape would otherwise
// be thousands of trees. What all items of an index share is printed once.

import type { Engine, WriteResult } from '@octavo/engine';
import { printReply } from './reply.ts';
import { RawJson, type ReplyObject, type ReplyValue } from './route.ts';
import { writeShards } from './shards.ts';
import { writeBody, writeStatus } from './write-reply.ts';

/** Collects the items of one reply. */
export class BulkItems {
  readonly #engine: Engine;
  readonly #forced: boolean;
  #text = '';
  #index: string | undefined;
  #indexMember = '';
  #shardsMember = '';

  constructor(engine: Engine, forced: boolean) {
    this.#engine = engine;
    this.#forced = forced;
  }

  /** An action that was carried out: the members of `writeBody`, and its status. */
  written(action: string, result: WriteResult): void {
    if (result.index !== this.#index) this.#turnTo(result.index);
    const type = result.type === '_doc' ? '' : `"_type":${JSON.stringify(result.type)},`;
    const forced = this.#forced ? '"forced_refresh":true,' : '';
    this.#text +=
      `${this.#text === '' ? '' : ','}{"${action}":{${this.#indexMember}${type}"_id":${JSON.stringify(result.id)},` +
      `"_version":${result.version},"result":"${result.result}",${forced}${this.#shardsMember}` +
      `"_seq_no":${result.seqNo},"_primary_term":1,"status":${writeStatus(result)}}}`;
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

  #turnTo(index: string): void {
    this.#index = index;
    this.#indexMember = `"_index":${JSON.stringify(index)},`;
    this.#shardsMember = `"_shards":${printReply(writeShards(this.#engine.indices.info(index))).toString('utf8')},`;
  }
}
