// What do the hits of the cluster say, and how do they go out? As the bytes they came as, in another order or without the
// values that only break ties, so that no number of a document changes its spelling.

import type { JsonValue } from '@octavo/engine';
import { RawJson, type ReplyObject, type ReplyValue } from '../../wire/router/route.ts';
import { readAnswer } from '../client/node-answer.ts';
import { elementsAt, membersAt, type Range, rawAt, rawMembers, wholeOf } from '../client/raw-json.ts';

/** One hit. */
export interface ClusterHit {
  readonly id: string;
  readonly index: string;
  /** Its sort values, with those that break ties; longs exact. */
  readonly sort: readonly JsonValue[];
  readonly range: Range;
}

/** A reply to a search, hits apart. */
export class ClusterPage {
  readonly bytes: Buffer;
  readonly hits: readonly ClusterHit[];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const outer = membersAt(bytes, wholeOf(bytes)).get('hits');
    const list = outer && membersAt(bytes, outer).get('hits');
    this.hits = list === undefined ? [] : elementsAt(bytes, list).map((range) => hitOf(bytes, range));
  }

  /** `hits.total`, as it stands. */
  total(): JsonValue | undefined {
    const outer = membersAt(this.bytes, wholeOf(this.bytes)).get('hits');
    const at = outer && membersAt(this.bytes, outer).get('total');
    return at === undefined ? undefined : readAnswer(this.bytes.subarray(at.start, at.end));
  }

  /**
   * The reply with these hits and `values` sort values each; `more` goes behind its members, and `total` in the place of
   * what was not counted again.
   */
  printed(hits: readonly ClusterHit[], values: number, more: ReplyObject, total?: JsonValue): ReplyObject {
    const out: Record<string, ReplyValue> = rawMembers(this.bytes, wholeOf(this.bytes));
    const outer = membersAt(this.bytes, wholeOf(this.bytes)).get('hits');
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
        .map((each) => rawAt(this.bytes, each));
    return members;
  }
}

function hitOf(bytes: Buffer, range: Range): ClusterHit {
  const members = membersAt(bytes, range);
  const value = (name: string): JsonValue | undefined => {
    const at = members.get(name);
    return at === undefined ? undefined : readAnswer(bytes.subarray(at.start, at.end));
  };
  const sort = value('sort');
  return {
    id: String(value('_id') ?? ''),
    index: String(value('_index') ?? ''),
    sort: Array.isArray(sort) ? (sort as JsonValue[]) : [],
    range,
  };
}
