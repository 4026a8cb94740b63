// Parses query strings: each parameter at most once, known ones only, typed by the endpoint's schema.
// Integers, numbers and booleans have one spelling; lists are separated by commas.

import { Problem } from '../../errors/problem.ts';

/** The parts of a JSON schema that decide how a value is parsed. */
interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly items?: PropertySchema;
  readonly anyOf?: readonly PropertySchema[];
}

export interface QuerySchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>;
}

/** Tokens by the spelling of the interface specification. */
const OTHER_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['nextToken', 'next_token'],
  ['prevToken', 'prev_token'],
]);

/** A value that does not parse as its type stays a string, which the schema then refuses. */
type QueryValue = string | number | boolean | readonly QueryValue[];

/** Throws Problem for repeated and unknown parameters, and for malformed percent-encoding. */
export function parseQueryString(query: string, schema: QuerySchema | undefined): Record<string, QueryValue> {
  const known = schema?.properties ?? {};
  const out: Record<string, QueryValue> = {};
  if (query === '') return out;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const given = decodePart(equals < 0 ? pair : pair.slice(0, equals));
    const name = OTHER_SPELLINGS.get(given) ?? given;
    const text = equals < 0 ? '' : decodePart(pair.slice(equals + 1), name);
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known);
      throw new Problem('unknown-parameter', unknownParameter(name, names), { field: name });
    }
    if (Object.hasOwn(out, name)) {
      throw new Problem('repeated-parameter', `The parameter ${name} was given more than once.`, {
        field: name,
      });
    }
    out[name] = parseValue(text, known[name]!);
  }
  return out;
}

function unknownParameter(name: string, names: readonly string[]): string {
  if (names.length === 0) return `Unknown parameter ${name}: this endpoint has no parameters.`;
  return `Unknown parameter ${name}; this endpoint has ${names.join(', ')}.`;
}

function decodePart(part: string, name?: string): string {
  const text = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem(
      'invalid-parameter',
      `${name ?? 'The name of a parameter'} is not valid percent-encoded UTF-8.`,
      name === undefined ? {} : { field: name },
    );
  }
}

const INTEGER = /^-?(?:0|[1-9][0-9]{0,15})$/;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

function parseValue(text: string, schema: PropertySchema): QueryValue {
  for (const type of typesOf(schema)) {
    if (type === 'integer' && INTEGER.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
    if (type === 'number' && NUMBER.test(text)) return Number(text);
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
    if (type === 'array') {
      const items = schema.items ?? {};
      return text === '' ? [] : text.split(',').map((item) => parseValue(item, items));
    }
  }
  return text;
}

function typesOf(schema: PropertySchema): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}
