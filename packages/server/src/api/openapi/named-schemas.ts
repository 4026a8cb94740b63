// Prepares schemas for readers of the document. A schema with a title is a named one: it moves to the components, and every
// use becomes a reference. Values of records and types of enumerations are written as generators of clients know them.

type Json = Readonly<Record<string, unknown>>;

/** The document with its named schemas. Throws if two different schemas have one name. */
export function withNamedSchemas<D extends { readonly components?: object | undefined }>(document: D): D {
  const named = new Map<string, Json>();
  const prepare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(prepare);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, prepare(member)] as const);
    const { title, ...schema } = plainSchema(Object.fromEntries(members));
    // A member of an object may be named title too; its schema is no text.
    if (typeof title !== 'string') return title === undefined ? schema : { title, ...schema };
    const known = named.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${title}`);
    named.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };
  const { paths } = document as { readonly paths?: object };
  const prepared = prepare(paths);
  const schemas = Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths: prepared, components: { ...document.components, schemas } };
}

/** Generators take an integer without a format for one of 32 bits. */
const INT32_MAX = 2 ** 31 - 1;

/** TypeBox writes the values of a record as a pattern of all names, no type beside an `enum`, and constants as `const`. */
function plainSchema(schema: Json): Json {
  const { const: constant, ...other } = schema;
  // Generators have no constants of other types than text.
  if (typeof constant === 'boolean') return { ...other, description: `Always ${constant}.` };
  if (typeof constant === 'string') return { ...other, enum: [constant] };
  const { patternProperties, ...rest } = schema;
  if (typeof patternProperties === 'object')
    return { ...rest, additionalProperties: Object.values(patternProperties ?? {})[0] };
  if (Array.isArray(schema['enum']) && schema['type'] === undefined) return { type: 'string', ...schema };
  if (schema['type'] === 'integer' && Number(schema['maximum'] ?? Infinity) > INT32_MAX)
    return { ...schema, format: 'int64' };
  return schema;
}
