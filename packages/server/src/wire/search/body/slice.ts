// Reads `slice: {id, max, field}`, a part of a list. As with the peer, slices exist only in scrolls and
// points in time, so that all of them are cut from one snapshot.

import {
  attachPlace,
  EngineError,
  illegalArgument,
  integerMember,
  isObject,
  type JsonValue,
  type SearchRequest,
  unknownField,
  unknownKey,
} from '@octavo/engine';
import type { SearchSpec, SliceSpec } from './search-spec.ts';

/** Reads `slice`. */
export function sliceMember(name: string, value: JsonValue): SliceSpec {
  if (!isObject(value)) throw unknownKey(name, value);
  const read = { id: -1, max: -1, field: undefined as string | undefined };
  for (const [key, each] of Object.entries(value)) {
    try {
      if (key === 'id')
        read.id = atLeast(integerMember(key, each), 0, 'id must be greater than or equal to 0');
      else if (key === 'max') read.max = atLeast(integerMember(key, each), 2, 'max must be greater than 1');
      else if (key === 'field' && typeof each === 'string') read.field = named(each);
      else throw unknownField('slice', value, key);
      if (read.id >= 0 && read.max >= 0) atLeast(read.max, read.id + 1, 'max must be greater than id');
    } catch (error) {
      if (!(error instanceof EngineError) || error.type === 'x_content_parse_exception') throw error;
      const refused = new EngineError('x_content_parse_exception', `[slice] failed to parse field [${key}]`, {
        causedBy: error,
      });
      throw attachPlace(refused, { holder: value, key, at: 'value' });
    }
  }
  if (read.id < 0 || read.max < 0) throw illegalArgument('[slice] needs both [id] and [max]');
  return read;
}

function atLeast(value: number, least: number, reason: string): number {
  if (value < least) throw illegalArgument(reason);
  return value;
}

function named(field: string): string {
  if (field === '') throw illegalArgument('field name is null or empty');
  return field;
}

/** The slice of a request to the engine. */
export function sliceOf(spec: SearchSpec, walk: 'scroll' | 'pit'): Pick<SearchRequest, 'slice'> {
  const { slice } = spec;
  if (slice === undefined) return {};
  const { id, max, field } = slice;
  return { slice: { id, max, walk, ...(field === undefined ? {} : { field }) } };
}

/** Throws for a slice without a snapshot: slices of a list that changes between requests would overlap. */
export function refuseSlice({ slice }: { readonly slice?: unknown }): void {
  if (slice !== undefined)
    throw illegalArgument('`slice` cannot be used outside of a scroll context or PIT context');
}
