// The fields of an index as its mapping has them: which can be shown, sorted and filtered, and how.

/** A field with values; objects are not. */
export interface Field {
  readonly name: string;
  readonly type: string;
  /** The field to sort and to compare whole values by: itself, a keyword below it, or none. */
  readonly exact: string | undefined;
  readonly kind: FieldKind;
}

export type FieldKind = 'text' | 'keyword' | 'number' | 'date' | 'boolean' | 'other';

interface Property {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly fields?: Readonly<Record<string, Property>>;
  readonly doc_values?: boolean;
}

/** The reply of `_mapping`. */
export type Mappings = Readonly<
  Record<string, { readonly mappings: { readonly properties?: Readonly<Record<string, Property>> } }>
>;

const NUMBERS = new Set([
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'scaled_float',
  'unsigned_long',
]);
const KEYWORDS = new Set(['keyword', 'constant_keyword', 'wildcard', 'ip', 'version']);
const TEXTS = new Set(['text', 'match_only_text', 'search_as_you_type']);

/** All fields of all indices behind a name, in the order of the mapping. Fields of nested objects need queries of their own. */
export function fieldsOf(mappings: Mappings): Field[] {
  const fields = new Map<string, Field>();
  const visit = (properties: Readonly<Record<string, Property>>, prefix: string): void => {
    for (const [key, property] of Object.entries(properties)) {
      const name = prefix + key;
      if (property.properties !== undefined && property.type !== 'nested')
        visit(property.properties, `${name}.`);
      else if (!fields.has(name)) fields.set(name, fieldOf(name, property));
    }
  };
  for (const { mappings: mapping } of Object.values(mappings)) visit(mapping.properties ?? {}, '');
  return [...fields.values()];
}

function fieldOf(name: string, property: Property): Field {
  const { type = 'object' } = property;
  const kind = kindOf(type);
  const below = Object.entries(property.fields ?? {}).find(([, { type }]) => KEYWORDS.has(type ?? ''))?.[0];
  const isOrdered = kind !== 'text' && kind !== 'other' && property.doc_values !== false;
  const exact = isOrdered ? name : below === undefined ? undefined : `${name}.${below}`;
  return { name, type, exact, kind };
}

function kindOf(type: string): FieldKind {
  if (NUMBERS.has(type)) return 'number';
  if (KEYWORDS.has(type)) return 'keyword';
  if (TEXTS.has(type)) return 'text';
  if (type === 'date' || type === 'date_nanos') return 'date';
  return type === 'boolean' ? 'boolean' : 'other';
}

/** The value at a dotted path of a source. Members of objects within arrays are collected. */
export function valueAt(source: unknown, path: string): unknown {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) {
    const found = source.map((each) => valueAt(each, path)).filter((each) => each !== undefined);
    return found.length === 0 ? undefined : found.flat();
  }
  const members = source as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(members, path)) return members[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    if (Object.hasOwn(members, head)) return valueAt(members[head], path.slice(dot + 1));
  }
  return undefined;
}
