// Turns the position that a request names into a cursor of the orders. A position is sort values, and in
// tokens also an id and an index. Indices may have been created or deleted since it was given.

import type { SearchRequest } from '../../api.ts';
import { EngineError } from '../../errors.ts';
import { bytesOf } from '../../json/bytes.ts';
import { plainNumber } from '../../json/java-text.ts';
import type { Cursor, CursorValue, Side } from '../../order/compare.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { type LeafTask, positionOf } from '../leaf-task.ts';
import { DEFAULT_SIZE } from './check-request.ts';
import { cursorValues } from './cursor-values.ts';
import type { Sortable } from './sortable.ts';

/** The part of a search that decides where its page begins. */
interface CursorInputs {
  readonly request: SearchRequest;
  readonly views: readonly IndexView[];
  readonly tasks: readonly LeafTask[];
  /** Per index, one per field. */
  readonly sort: readonly (readonly Sortable[])[];
}

/** Which part of a list a page is. */
export interface PageRange {
  readonly from: number;
  readonly size: number;
  readonly cursor: Cursor | undefined;
  readonly backwards: boolean;
}

/** The position that `searchAfter` names, in the terms of the order. */
function cursorOf(search: CursorInputs): Cursor | undefined {
  const { request, sort, views } = search;
  const { searchAfter, searchAfterId } = request;
  if (searchAfter === undefined || views.length === 0) return undefined;
  const indexPlace = placeOfIndex(views, request.searchAfterIndex);
  if (sort[0]!.length > 0 || searchAfterId === undefined) {
    const values = cursorValues(sort[0]!, searchAfter);
    return {
      // A position counts indices, of which some may be new or deleted: the name says which one it refers to.
      values:
        indexPlace === undefined
          ? values
          : values.map((v, e) =>
              v.kind === 'position' && sort[0]![e]!.type.kind !== '_seq_no' ? { ...v, indexPlace } : v,
            ),
      id: searchAfterId === undefined ? undefined : bytesOf(searchAfterId),
      indexPlace,
    };
  }
  const score = plainNumber(searchAfter[0]);
  if (searchAfter.length !== 1 || Number.isNaN(score)) {
    throw new EngineError('cursor_invalid', 'A page token in score order must hold one score and one id.');
  }
  const values: CursorValue[] = [
    { kind: 'score', score: Math.fround(score) },
    indexPlace === undefined || Number.isInteger(indexPlace)
      ? insertionOf(search, searchAfterId, indexPlace ?? -1)
      : { kind: 'position', indexPlace, seqNo: 0 },
  ];
  return { values, id: undefined, indexPlace: undefined };
}

/**
 * The place of an index among those searched, which are sorted by name. A deleted index lies between two of
 * them.
 */
function placeOfIndex(views: readonly IndexView[], name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  const place = views.findIndex((view) => view.name === name);
  return place >= 0 ? place : views.filter((view) => view.name < name).length - 0.5;
}

/** Ties in score order are in insertion order: looks up where the document of a token was inserted. */
function insertionOf({ tasks }: CursorInputs, id: string, indexPlace: number): CursorValue {
  const bytes = bytesOf(id);
  for (const task of tasks.toReversed()) {
    if (indexPlace >= 0 && task.indexPlace !== indexPlace) continue;
    const { view } = task;
    let doc = view.leaf.docs.find(bytes);
    while (doc >= 0) {
      const alive = view.live === undefined || ((view.live[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
      if (doc < view.docCount && alive) {
        return { kind: 'position', indexPlace: task.indexPlace, seqNo: view.leaf.docs.seqNo(doc) };
      }
      doc = view.leaf.docs.find(bytes, doc);
    }
  }
  throw new EngineError(
    'cursor_expired',
    'The document at which the page token points is not in this snapshot any more.',
  );
}

/** The cursor for a list in score order, with the position as a number (leaf-task.ts). */
export function scoreCursor(
  cursor: Cursor | undefined,
  sides: readonly Side[],
): { score: number; position: number | undefined } | undefined {
  const [first, second] = cursor?.values ?? [];
  if (first?.kind !== 'score' || second?.kind !== 'position') return undefined;
  let position = -0.5;
  for (const side of sides) {
    const { docs } = side.leaf;
    if (side.indexPlace > second.indexPlace) break;
    if (side.indexPlace < second.indexPlace) {
      position = positionOf(side.place + 1, -0.5);
      continue;
    }
    if (docs.seqNo(0) > second.seqNo) continue;
    let low = 0;
    let high = side.leaf.docCount;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (docs.seqNo(mid) <= second.seqNo) low = mid + 1;
      else high = mid;
    }
    position = positionOf(side.place, low - 1);
  }
  return { score: first.score, position };
}

/** Which part of its list a request asks for. */
export function pageRange(search: CursorInputs): PageRange {
  const { from = 0, size = DEFAULT_SIZE, backwards = false } = search.request;
  return { from, size, cursor: cursorOf(search), backwards };
}
