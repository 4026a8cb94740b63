// Builders of JSON schemas with TypeBox's types. The API needs plain JSON Schema only, and loading all of
// TypeBox took a fifth of the start time.

import type { Type as TypeBox } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>;

type Schema = Readonly<Record<string, unknown>>;
type Options = Schema | undefined;

/** TypeBox's mark of optional members. */
const OPTIONAL = '~optional';

function optional(schema: Schema): Schema {
  return Object.defineProperty({ ...schema }, OPTIONAL, { value: true });
}

function object(properties: Readonly<Record<string, Schema>>, options: Options): Schema {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

const builders = {
  Array: (items: Schema, options: Options): Schema => ({ type: 'array', items, ...options }),
  Boolean: (options: Options): Schema => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options: Options): Schema => ({ enum: [...values], ...options }),
  Integer: (options: Options): Schema => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options: Options): Schema => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options: Options): Schema => ({ type: 'null', ...options }),
  Object: object,
  Optional: optional,
  Record: (_key: Schema, value: Schema, options: Options): Schema => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: (options: Options): Schema => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options: Options): Schema => ({ anyOf: [...anyOf], ...options }),
  Unknown: (options: Options): Schema => ({ ...options }),
  Unsafe: (schema: Schema): Schema => ({ ...schema }),
};

/** TypeBox's builders. Keys of `Record` are any text. */
export const Type: Builders = builders as unknown as Builders;
