// Turns an error of the schema validator into a problem that names the field as the caller wrote it: `limit`,
// `entities[2].end`.

import type { FastifyError, FastifySchemaValidationError } from 'fastify';
import { Problem } from './problem.ts';

/** What a value must be, by the pattern that checks it. Filled while the schemas are loaded. */
const FORMS = new Map<string, string>();

/** A pattern of a schema. `form` completes "must be …" in the problem for a value that does not match. */
export function describedPattern(pattern: string, form: string): string {
  FORMS.set(pattern, form);
  return pattern;
}

/** What a value must be to match a pattern; undefined if the pattern has no description. */
export function formOf(pattern: string): string | undefined {
  return FORMS.get(pattern);
}

export function validationProblem(error: FastifyError): Problem {
  const inBody = error.validationContext === 'body';
  const [first] = error.validation ?? [];
  if (first === undefined) return new Problem(inBody ? 'invalid-body' : 'invalid-parameter', error.message);
  const path = fieldPath(first);
  const params = first.params as Readonly<Record<string, unknown>>;
  if (first.keyword === 'additionalProperties') {
    const name = joinPath(path, String(params['additionalProperty']));
    return new Problem(
      inBody ? 'invalid-body' : 'unknown-parameter',
      `Unknown ${inBody ? 'member' : 'parameter'} ${name}.`,
      { field: name },
    );
  }
  if (first.keyword === 'required') {
    const name = joinPath(path, String(params['missingProperty']));
    return new Problem(inBody ? 'invalid-body' : 'invalid-parameter', `${name} is missing.`, { field: name });
  }
  if (path === '' && inBody) {
    return new Problem('invalid-body', `The body ${describeError(first, params)}.`);
  }
  return new Problem(
    inBody ? 'invalid-body' : 'invalid-parameter',
    `${path} ${describeError(first, params)}.`,
    {
      field: path,
    },
  );
}

function describeError(
  error: FastifySchemaValidationError,
  params: Readonly<Record<string, unknown>>,
): string {
  if (error.keyword === 'enum') {
    return `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
  }
  if (error.keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (error.keyword === 'pattern') {
    const form = formOf(String(params['pattern']));
    if (form !== undefined) return `must be ${form}`;
  }
  return (
    inBounds(error.keyword, Number(params['limit'])) ?? typeName(error) ?? error.message ?? 'is not valid'
  );
}

/** The bound of a number, a text or a list. */
function inBounds(keyword: string, limit: number): string | undefined {
  if (keyword === 'minimum') return `must be at least ${limit}`;
  if (keyword === 'maximum') return `must be at most ${limit}`;
  if (keyword === 'minLength')
    return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
  if (keyword === 'maxLength') return `must have at most ${limit} characters`;
  if (keyword === 'minItems') return limit === 1 ? 'must not be empty' : `must have at least ${limit} items`;
  return keyword === 'maxItems' ? `must have at most ${limit} items` : undefined;
}

/** `must be a string`, `must be an integer or null`. */
function typeName({ keyword, params }: FastifySchemaValidationError): string | undefined {
  if (keyword !== 'type') return undefined;
  const names = [(params as Readonly<Record<string, unknown>>)['type']].flat().map(String);
  return `must be ${names.map((name) => (name === 'null' ? name : `${/^[aio]/.test(name) ? 'an' : 'a'} ${name}`)).join(' or ')}`;
}

/** `/entities/2/end` → `entities[2].end`. */
function fieldPath(error: FastifySchemaValidationError): string {
  let out = '';
  for (const part of error.instancePath.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    out = /^\d+$/.test(name) && out !== '' ? `${out}[${name}]` : joinPath(out, name);
  }
  return out;
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
