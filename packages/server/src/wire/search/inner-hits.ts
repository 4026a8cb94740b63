// Who else is in the group of a collapsed hit? `inner_hits` asks for the best of each group: one more search a group,
// over the same snapshot.

import {
  EngineError,
  type Hit,
  type JsonObject,
  type JsonValue,
  plainText,
  type SearchRequest,
} from '@octavo/engine';
import { isObject } from '../json-body.ts';
import type { ReplyObject, Services } from '../route.ts';
import { onShards } from '../search-errors.ts';
import type { Target } from '../target.ts';
import { readSearchBody } from './body.ts';
import { hitsBody } from './reply.ts';
import type { InnerSpec, SearchSpec } from './spec.ts';
import { unknownField } from './unknown-field.ts';

const DEFAULT_SIZE = 3;

/** Checks a `collapse` and takes its inner hits out of it. */
export function readCollapse(collapse: JsonObject): { field: JsonObject; inner: InnerSpec[] } {
  const field: JsonObject = {};
  let inner: InnerSpec[] = [];
  for (const [key, value] of Object.entries(collapse)) {
    if (key === 'field') field['field'] = value;
    else if (key === 'inner_hits') inner = (Array.isArray(value) ? value : [value]).map(readInner);
    else if (key !== 'max_concurrent_group_searches') {
      throw unknownField('collapse', collapse, key);
    }
  }
  return { field, inner };
}

function readInner(value: JsonValue): InnerSpec {
  if (!isObject(value)) throw new EngineError('parsing_exception', '[inner_hits] must be an object');
  const { name, ignore_unmapped: _ignored, ...body } = value;
  const { collapse } = body;
  if (isObject(collapse) && ('inner_hits' in collapse || 'collapse' in collapse)) {
    throw new EngineError(
      'parse_exception',
      'a [collapse] within [inner_hits] has a [field] and nothing else',
    );
  }
  const spec = readSearchBody(body);
  return {
    name: typeof name === 'string' ? name : undefined,
    spec: { ...spec, size: spec.size ?? DEFAULT_SIZE },
  };
}

/** The `inner_hits` of each hit, by name. */
export async function innerHits(
  services: Services,
  target: Target,
  spec: SearchSpec,
  request: SearchRequest,
  snapshot: number,
  hits: readonly Hit[],
): Promise<ReplyObject[]> {
  const field = plainText(spec.collapse?.['field']);
  const out: ReplyObject[] = [];
  for (const hit of hits) {
    const group = groupQuery(request.query, field, hit);
    const named: ReplyObject = {};
    for (const inner of spec.innerHits) {
      const asked: SearchRequest = {
        ...innerRequest(request, inner.spec),
        query: group,
        snapshot,
      };
      const result = await onShards(services, target, asked, () => services.engine.search(asked));
      const shown = { ...inner.spec, totalAsInt: spec.totalAsInt };
      named[inner.name ?? field] = { hits: hitsBody(services, target, shown, result) };
    }
    out.push(named);
  }
  return out;
}

function innerRequest(outer: SearchRequest, spec: SearchSpec): SearchRequest {
  const { indices, filters, postFilter, minScore, timeoutMs, signal } = outer;
  return {
    indices,
    ...(filters === undefined ? {} : { filters }),
    ...(postFilter === undefined ? {} : { postFilter }),
    ...(minScore === undefined ? {} : { minScore }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
    ...(spec.sort === undefined ? {} : { sort: spec.sort }),
    ...(spec.collapse === undefined ? {} : { collapse: spec.collapse }),
    from: spec.from ?? 0,
    size: spec.size ?? DEFAULT_SIZE,
    trackScores: spec.trackScores,
  };
}

function groupQuery(query: JsonObject | undefined, field: string, hit: Hit): JsonObject {
  const [value] = hit.docValues(field);
  const must = [query ?? { match_all: {} }];
  if (value === undefined || value === null) {
    return { bool: { must, must_not: [{ exists: { field } }] } };
  }
  return { bool: { must, filter: [{ term: { [field]: value } }] } };
}
