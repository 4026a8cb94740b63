// span_near: clauses near each other, in order or not. `span_gap` stands for positions that may hold anything.

import { illegalArgument } from '../../../errors.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../errors.ts';
import { spansNode, termsOf } from '../../field/span-node.ts';
import { orderedSpans, unorderedSpans } from '../../node/spans/near-spans.ts';
import type { PlannedSpans } from '../../node/spans/spans-node.ts';
import {
  isObject,
  objectBody,
  readBooleanParameter,
  readInteger,
  readParameters,
  singleField,
} from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { planClause, readClause } from './span-query.ts';

const KIND = 'span_near';

interface Gap {
  readonly field: string;
  readonly width: number;
}

interface SpanNearQuery extends Query {
  readonly kind: 'span_near';
  readonly clauses: readonly (Query | Gap)[];
  readonly slop: number;
  readonly inOrder: boolean;
}

export const spanNear: QueryKind<SpanNearQuery> = {
  name: KIND,
  parse(json, parser) {
    const clauses: (Query | Gap)[] = [];
    let slop = 0;
    let inOrder = true;
    const common = readParameters(KIND, objectBody(KIND, json), {
      clauses: (v) => {
        if (!Array.isArray(v)) throw parsingError(`[${KIND}] query does not support [clauses]`);
        for (const each of v) {
          clauses.push(isGap(each) ? readGap(each) : readClause(each, parser, `${KIND} [clauses]`));
        }
      },
      slop: (v) => (slop = readInteger(v, KIND, 'slop')),
      in_order: (v) => (inOrder = readBooleanParameter(v, KIND, 'in_order')),
    });
    if (clauses.length === 0) throw parsingError(`${KIND} must include [clauses]`);
    if (clauses.every((clause) => 'width' in clause)) {
      throw parsingError(`${KIND} must include a clause other than [span_gap]`);
    }
    return Object.freeze({ kind: KIND, clauses, slop, inOrder, ...common });
  },
  plan({ clauses, slop, inOrder }, planner, boost) {
    planner.countClauses(clauses.length);
    const parts = clauses.map((clause) => ('width' in clause ? clause : planClause(planner, clause)));
    const planned = parts.filter((part) => !('width' in part)) as PlannedSpans[];
    if (parts.length === 1) return spansNode(planner, planned[0]!, boost);
    const [first] = parts;
    const path = 'width' in first! ? first.field : first!.path;
    for (const part of parts) {
      const field = 'width' in part ? part.field : part.path;
      const text = 'width' in part ? `SpanGap(${field}:${part.width})` : part.text;
      if (field !== path) {
        throw illegalArgument(`Cannot add clause ${text} to SpanNearQuery for field ${path}`);
      }
    }
    if (!inOrder && planned.length < parts.length) {
      throw illegalArgument('Gaps can only be added to ordered near queries');
    }
    const source = inOrder
      ? orderedSpans(
          parts.map((part) => ('width' in part ? part.width : part.source)),
          slop,
        )
      : unorderedSpans(
          planned.map((part) => part.source),
          slop,
        );
    const text = `spanNear([${planned.map((part) => part.text).join(', ')}], ${slop}, ${inOrder})`;
    return spansNode(planner, { path, scoredPath: path, source, terms: termsOf(planned), text }, boost);
  },
};

function isGap(json: JsonValue): json is JsonObject {
  return isObject(json) && Object.keys(json)[0] === 'span_gap';
}

function readGap(json: JsonObject): Gap {
  const body = objectBody('span_gap', json['span_gap']!);
  const field = singleField('span_gap', body);
  if (field === undefined || Object.keys(json).length > 1) {
    throw parsingError('[span_gap] query malformed, expected {"span_gap": {"field": width}}');
  }
  const width = readInteger(body[field]!, 'span_gap', field);
  if (width < 0) throw illegalArgument(`[span_gap] width of [${field}] must not be negative`);
  return { field, width };
}
