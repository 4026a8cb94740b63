import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyError } from 'fastify';
import { validationProblem } from './validation-problem.ts';

const CASES: readonly (readonly [keyword: string, params: object, detail: string])[] = [
  ['maximum', { limit: 100 }, 'limit must be at most 100.'],
  ['minimum', { limit: 1 }, 'limit must be at least 1.'],
  ['maxLength', { limit: 255 }, 'limit must have at most 255 characters.'],
  ['minLength', { limit: 1 }, 'limit must not be empty.'],
  ['maxItems', { limit: 32 }, 'limit must have at most 32 items.'],
  ['minItems', { limit: 2 }, 'limit must have at least 2 items.'],
  ['type', { type: 'integer' }, 'limit must be an integer.'],
  ['type', { type: ['string', 'null'] }, 'limit must be a string or null.'],
  ['enum', { allowedValues: ['asc', 'desc'] }, 'limit must be one of asc, desc.'],
  ['format', {}, 'limit must match format "date".'],
];

test('each fault of a value is a sentence that says what it must be', () => {
  for (const [keyword, params, detail] of CASES) {
    const first = {
      keyword,
      params,
      instancePath: '/limit',
      schemaPath: '',
      message: 'must match format "date"',
    };
    const error = { validation: [first], validationContext: 'querystring' } as unknown as FastifyError;
    const problem = validationProblem(error);
    assert.equal(problem.message, detail);
    assert.equal(problem.code, 'invalid-parameter');
  }
});
