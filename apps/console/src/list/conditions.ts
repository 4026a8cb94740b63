// The conditions of a list: what they mean as a query, and how they are written in the address.

import type { Field, FieldKind } from './fields.ts';

export interface Condition {
  readonly field: string;
  readonly op: Op;
  readonly value: string;
}

const OPS = ['is', 'not', 'has', 'phrase', 'gte', 'lt', 'prefix', 'exists', 'missing'] as const;
export type Op = (typeof OPS)[number];

export const OP_LABELS: Readonly<Record<Op, string>> = {
  is: 'is',
  not: 'is not',
  has: 'has the words',
  phrase: 'has the phrase',
  gte: 'is at least',
  lt: 'is below',
  prefix: 'starts with',
  exists: 'has a value',
  missing: 'has no value',
};

const OPS_OF: Readonly<Record<FieldKind, readonly Op[]>> = {
  text: ['has', 'phrase', 'exists', 'missing'],
  keyword: ['is', 'not', 'prefix', 'gte', 'lt', 'exists', 'missing'],
  number: ['is', 'not', 'gte', 'lt', 'exists', 'missing'],
  date: ['gte', 'lt', 'is', 'exists', 'missing'],
  boolean: ['is', 'exists', 'missing'],
  other: ['exists', 'missing'],
};

/** The operators of a field. A text with a keyword below it can be compared as a whole, too. */
export function opsOf(field: Field): readonly Op[] {
  const ops = OPS_OF[field.kind];
  return field.kind === 'text' && field.exact !== undefined ? [...ops, 'is', 'not', 'prefix'] : ops;
}

export function needsValue(op: Op): boolean {
  return op !== 'exists' && op !== 'missing';
}

/** The query of a search text and conditions. */
export function queryOf(text: string, conditions: readonly Condition[], fields: readonly Field[]): object {
  const must = text.trim() === '' ? [] : [textQuery(text.trim())];
  const filter: object[] = [];
  const must_not: object[] = [];
  for (const { field, op, value } of conditions) {
    const exact = fields.find(({ name }) => name === field)?.exact ?? field;
    if (op === 'is') filter.push({ term: { [exact]: value } });
    else if (op === 'not') must_not.push({ term: { [exact]: value } });
    else if (op === 'prefix') filter.push({ prefix: { [exact]: value } });
    else if (op === 'gte' || op === 'lt') filter.push({ range: { [exact]: { [op]: value } } });
    else if (op === 'has') filter.push({ match: { [field]: { query: value, operator: 'and' } } });
    else if (op === 'phrase') filter.push({ match_phrase: { [field]: value } });
    else (op === 'exists' ? filter : must_not).push({ exists: { field } });
  }
  if (must.length + filter.length + must_not.length === 0) return { match_all: {} };
  return {
    bool: {
      ...(must.length > 0 && { must }),
      ...(filter.length > 0 && { filter }),
      ...(must_not.length > 0 && { must_not }),
    },
  };
}

/** Words anywhere; `"…"`, `-` and `*` as people know them. */
function textQuery(query: string): object {
  return { simple_query_string: { query, default_operator: 'and', lenient: true } };
}

export function conditionText({ field, op, value }: Condition): string {
  return needsValue(op) ? `${field} ${OP_LABELS[op]} ${value}` : `${field} ${OP_LABELS[op]}`;
}

/** Conditions in the address: `field~op~value`, one parameter each. */
export function readConditions(params: URLSearchParams): Condition[] {
  return params.getAll('if').flatMap((text) => {
    const [field = '', op = '', ...value] = text.split('~');
    const known = OPS.find((each) => each === op);
    return field === '' || known === undefined ? [] : [{ field, op: known, value: value.join('~') }];
  });
}

export function writeConditions(params: URLSearchParams, conditions: readonly Condition[]): URLSearchParams {
  const written = new URLSearchParams(params);
  written.delete('if');
  for (const { field, op, value } of conditions) written.append('if', `${field}~${op}~${value}`);
  return written;
}
