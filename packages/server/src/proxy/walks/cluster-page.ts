// A page of hits as the cluster sent it. Hits can be reordered and tie-breaking sort values left out, while
// all other bytes stay, so that no number changes its spelling.

import type { JsonValue } from '@octavo/engine';
import { RawJson, type ReplyObject, type ReplyValue } from '../../json/reply-value.ts';
import { parseAnswer } from '../client/node-answer.ts';
import {
  elementsAt,
  type JsonRange,
  membersAt,
  rawJsonAt,
  rawMembers,
  wholeRange,
} from '../client/raw-json.ts';

export interface ClusterHit {
  readonly id: string;
  readonly index: string;
  /** Its sort values with the tie-breaking ones; longs are exact. */
  readonly sort: readonly JsonValue[];
  readonly range: JsonRange;
}

export class ClusterPage {
  readonly bytes: Buffer;
  readonly hits: readonly ClusterHit[];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const outer = membersAt(bytes, wholeRange(bytes)).get('hits');
    const list = outer && membersAt(bytes, outer).get('hits');
    this.hits = list === undefined ? [] : elementsAt(bytes, list).map((range) => hitOf(bytes, range));
  }

  /** `hits.total` as it was sent. */
  total(): JsonValue | undefined {
    const outer = membersAt(this.bytes, wholeRange(this.bytes)).get('hits');
    const at = outer && membersAt(this.bytes, outer).get('total');
    return at === undefined ? undefined : parseAnswer(this.bytes.subarray(at.start, at.end));
  }

  /**
   * The reply with these hits and `values` sort values for each. `more` is appended to its members; `total`
   * replaces a total that was not counted again.
   */
  print(hits: readonly ClusterHit[], values: number, more: ReplyObject, total?: JsonValue): ReplyObject {
    const out: Record<string, ReplyValue> = rawMembers(this.bytes, wholeRange(this.bytes));
    const outer = membersAt(this.bytes, wholeRange(this.bytes)).get('hits');
    if (outer !== undefined) {
      const members: Record<string, ReplyValue> = {
        ...(total === undefined ? {} : { total }),
        ...rawMembers(this.bytes, outer),
        ...(total === undefined ? {} : { total }),
      };
      members['hits'] = hits.map((hit) => this.#hit(hit, values));
      out['hits'] = members;
    }
    return { ...out, ...more };
  }

  #hit({ range }: ClusterHit, values: number): ReplyValue {
    const members: Record<string, ReplyValue> = rawMembers(this.bytes, range);
    const sort = membersAt(this.bytes, range).get('sort');
    if (sort === undefined) return new RawJson(this.bytes.subarray(range.start, range.end));
    if (values === 0) delete members['sort'];
    else
      members['sort'] = elementsAt(this.bytes, sort)
        .slice(0, values)
        .map((each) => rawJsonAt(this.bytes, each));
    return members;
  }
}

function hitOf(bytes: Buffer, range: JsonRange): ClusterHit {
  const members = membersAt(bytes, range);
  const value = (name: string): JsonValue | undefined => {
    const at = members.get(name);
    return at === undefined ? undefined : parseAnswer(bytes.subarray(at.start, at.end));
  };
  const sort = value('sort');
  return {
    id: String(value('_id') ?? ''),
    index: String(value('_index') ?? ''),
    sort: Array.isArray(sort) ? (sort as JsonValue[]) : [],
    range,
  };
}
