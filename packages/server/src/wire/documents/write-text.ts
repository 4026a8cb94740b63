// How are the members of `writeBody` printed, for thousands of writes of one shape? As text right away: what all writes to an
// index share is printed once.

import type { Engine, WriteResult } from '@octavo/engine';
import { writeShards } from '../resolve/shards.ts';
import { printReply } from '../router/print-reply.ts';

/** Prints what was written. Remembers the last index. */
export class WriteText {
  #info: ReturnType<Engine['indices']['info']>;
  #index = '';
  #indexMember = '';
  #shardsMember = '';
  #isAscii = true;

  /** Whether what the last writes share has no other characters. */
  get isAscii(): boolean {
    return this.#isAscii;
  }

  /** The members of `writeBody`, without braces; `id` is the printed one, and so are the numbers. */
  of(
    result: WriteResult,
    engine: Engine,
    forced: boolean,
    id: string = JSON.stringify(result.id),
    version: number | string = result.version,
    seqNo: number | string = result.seqNo,
  ): string {
    this.#turnTo(result.index, engine);
    const type = result.type === '_doc' ? '' : `"_type":${JSON.stringify(result.type)},`;
    return (
      `${this.#indexMember}${type}"_id":${id},"_version":${version},` +
      `"result":"${result.result}",${forced ? '"forced_refresh":true,' : ''}${this.#shardsMember}` +
      `"_seq_no":${seqNo},"_primary_term":1`
    );
  }

  /** Replicas are a setting, which may change. */
  #turnTo(index: string, engine: Engine): void {
    const info = engine.indices.info(index);
    if (index === this.#index && info === this.#info && info !== undefined) return;
    this.#index = index;
    this.#info = info;
    this.#isAscii = Buffer.byteLength(index) === index.length;
    this.#indexMember = `"_index":${JSON.stringify(index)},`;
    this.#shardsMember = `"_shards":${printReply(writeShards(info)).toString('utf8')},`;
  }
}
