// Every schema builder makes the schema of TypeBox, byte for byte.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './json-schema.ts';

const SCHEMAS: readonly ((type: typeof Type) => unknown)[] = [
  (t) => t.Array(t.String({ minLength: 1 }), { maxItems: 3 }),
  (t) => t.Boolean({ description: 'x' }),
  (t) => t.Enum(['a', 'b'], { default: 'a' }),
  (t) => t.Integer({ minimum: 0 }),
  (t) => [t.Literal('a', { description: 'x' }), t.Literal(1), t.Literal(true)],
  (t) => t.Null(),
  (t) => t.Object({}),
  (t) => t.Object({ a: t.Optional(t.String()) }, { description: 'x' }),
  (t) =>
    t.Object({ a: t.Optional(t.Object({ b: t.Null() })), c: t.Integer() }, { additionalProperties: false }),
  (t) => t.Record(t.String(), t.Unknown(), { description: 'x' }),
  (t) => t.Union([t.String(), t.Null()], { description: 'x' }),
  (t) => t.Unsafe<string>({ type: 'string', format: 'binary' }),
];

test('schemas are those of TypeBox', () => {
  for (const make of SCHEMAS) assert.equal(JSON.stringify(make(Type)), JSON.stringify(make(TypeBox)));
});

test('what is optional here is not optional elsewhere', () => {
  const name = Type.String();
  const first = Type.Object({ name: Type.Optional(name) });
  const second = Type.Object({ name });
  assert.equal(JSON.stringify(first), '{"type":"object","properties":{"name":{"type":"string"}}}');
  assert.equal(
    JSON.stringify(second),
    '{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}',
  );
});
