// Random data: a mapping and the documents of one index.

import { Random } from './random.ts';
import { SPECIAL_ANALYSIS, SPECIAL_SIMILARITIES, specialFields } from './special-fields.ts';

export type FieldKind =
  | 'text'
  | 'keyword'
  | 'integer'
  | 'long'
  | 'decimal'
  | 'date'
  | 'boolean'
  | 'ip'
  | 'geo_point';

/** A field that requests can name. */
export interface DataField {
  readonly path: string;
  readonly kind: FieldKind;
  /** Values of documents, for requests that find something. */
  readonly values: readonly unknown[];
  /** False if it has no doc values: it cannot be sorted or aggregated. */
  readonly hasColumn: boolean;
  /** Whether documents may have several values. */
  readonly isMultiple: boolean;
  /** Whether it is a scaled_float. */
  readonly isScaled?: boolean;
}

export interface DataDocument {
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
}

export interface Dataset {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly mappings: Readonly<Record<string, unknown>>;
  readonly documents: readonly DataDocument[];
  /** Ids that are deleted after all documents were written. */
  readonly deleted: readonly string[];
  readonly fields: readonly DataField[];
  /** Paths of fields that only some requests can name. */
  readonly special: readonly string[];
  /** The data of the other index that some requests search as well. */
  readonly neighbor?: Dataset;
}

const WORDS: readonly string[] = (
  'red fox the quick jumps over dog run running is green and blue jumped foxes of not a York New dogs ' +
  "lazy runner don't naïve wi-fi foo_bar 42 x1 Zürich COVID-19 O'Neil's états running2 I.B.M. go"
).split(' ');

const TAGS: readonly string[] = [
  ...['red', 'Green', 'blue', 'a b', 'x-1', 'red fox', 'éa', 'RED', '', '10', '9', 'foo*', 'z'],
  ...['long tail of a keyword'],
];

const ADDRESSES: readonly string[] = [
  ...['10.0.0.1', '10.0.0.2', '10.0.0.200', '10.0.1.1', '192.168.1.9', '255.255.255.255', '0.0.0.0'],
  ...['2001:db8::1', '2001:db8::ff', '::1', 'fe80::1'],
];

/** A text of random words. */
export function textOf(random: Random, least: number, most: number): string {
  return random.list(least, most, () => random.skewed(WORDS)).join(' ');
}

export function wordOf(random: Random): string {
  return random.skewed(WORDS);
}

const YEAR = 31_556_952_000;

function instantOf(random: Random): number {
  // Whole days and hours too, because they lie on the bounds of buckets.
  const unit = random.pick([1, 1000, 3_600_000, 86_400_000]);
  return Math.floor((49 * YEAR + random.next() * 6 * YEAR) / unit) * unit;
}

function dateOf(random: Random): unknown {
  const iso = new Date(instantOf(random)).toISOString();
  return random.weighted<unknown>([
    [5, () => iso],
    [3, () => iso.slice(0, 10)],
    [1, () => iso.slice(0, 19)],
    [1, () => `${iso.slice(0, 19)}+05:30`],
    [1, () => Date.parse(iso)],
    [1, () => iso.slice(0, 4)],
  ]);
}

function pointOf(random: Random): unknown {
  const lat = random.int(-850, 850) / 10;
  const lon = random.int(-1790, 1790) / 10;
  return random.pick<unknown>([{ lat, lon }, [lon, lat], `${lat},${lon}`, `POINT (${lon} ${lat})`]);
}

function decimalOf(random: Random): unknown {
  return random.weighted<unknown>([
    [4, () => random.int(-100, 400) / 8],
    [2, () => random.int(-10, 50)],
    [1, () => Math.round(random.next() * 1e6) / 1e4],
    [1, () => String(random.int(0, 99) / 4)],
  ]);
}

interface Plan {
  readonly path: string;
  readonly kind: FieldKind;
  readonly mapping: Record<string, unknown>;
  readonly value: (random: Random) => unknown;
  readonly hasColumn?: boolean;
  readonly multiple?: boolean;
}

const ANALYZERS = ['standard', 'simple', 'whitespace', 'english', 'stop', 'french', 'mine', 'keyword'];

/** The fields of an index, of which each has some. `seq` is always there and unique. */
function plansOf(random: Random): Plan[] {
  const text = (): Record<string, unknown> => ({
    type: 'text',
    ...random.members(0.15, {
      analyzer: () => random.pick(ANALYZERS),
      search_analyzer: () => random.pick(['standard', 'whitespace']),
      norms: () => false,
      index_options: () => random.pick(['docs', 'freqs', 'positions', 'offsets']),
      index_prefixes: () => ({ min_chars: 1, max_chars: 5 }),
      index_phrases: () => true,
    }),
    ...random.members(0.6, {
      fields: () => ({ raw: { type: 'keyword', ...random.members(0.2, { ignore_above: () => 20 }) } }),
    }),
  });
  // A search analyzer needs an analyzer, and phrases need positions.
  const legal = (mapping: Record<string, unknown>): Record<string, unknown> => {
    if (mapping['analyzer'] === undefined) delete mapping['search_analyzer'];
    if (mapping['index_options'] === 'docs' || mapping['index_options'] === 'freqs') {
      delete mapping['index_phrases'];
      delete mapping['index_prefixes'];
    }
    return mapping;
  };
  const number = (type: string): Record<string, unknown> => ({
    type,
    ...random.members(0.08, { null_value: () => 7, doc_values: () => false, index: () => false }),
  });
  const whole = (most: number) => (each: Random) =>
    each.weighted<unknown>([
      [6, () => each.int(-5, 20)],
      [2, () => each.int(-most, most)],
      [1, () => String(each.int(0, 20))],
      [1, () => null],
    ]);
  return [
    { path: 'title', kind: 'text', mapping: legal(text()), value: (each) => textOf(each, 0, 6) },
    {
      path: 'body',
      kind: 'text',
      mapping: legal(text()),
      value: (each) => textOf(each, 1, 25),
      multiple: true,
    },
    {
      path: 'tag',
      kind: 'keyword',
      mapping: { type: 'keyword', ...random.members(0.1, { null_value: () => 'none', norms: () => true }) },
      value: (each) => (each.chance(0.05) ? null : each.skewed(TAGS)),
      multiple: true,
    },
    {
      path: 'kind',
      kind: 'keyword',
      mapping: {
        type: 'keyword',
        ...random.members(0.5, { normalizer: () => random.pick(['lowercase', 'folded']) }),
      },
      value: (each) => each.skewed(TAGS),
    },
    {
      path: 'plain',
      kind: 'keyword',
      mapping: { type: 'keyword', ...random.members(0.3, { doc_values: () => false }) },
      value: (each) => each.pick(TAGS),
    },
    { path: 'n', kind: 'integer', mapping: number('integer'), value: whole(1000), multiple: true },
    {
      path: 'small',
      kind: 'integer',
      mapping: number(random.pick(['byte', 'short'])),
      value: (each) => each.int(-3, 9),
    },
    { path: 'long', kind: 'long', mapping: number('long'), value: whole(2 ** 52) },
    {
      path: 'price',
      kind: 'decimal',
      mapping: number(random.pick(['double', 'float'])),
      value: decimalOf,
      multiple: true,
    },
    {
      path: 'rate',
      kind: 'decimal',
      mapping: random.pick<Record<string, unknown>>([
        { type: 'half_float' },
        { type: 'scaled_float', scaling_factor: 100 },
        { type: 'unsigned_long' },
      ]),
      value: (each) => each.int(0, 64) / (each.chance(0.5) ? 4 : 1),
    },
    {
      path: 'when',
      kind: 'date',
      mapping: {
        type: 'date',
        ...random.members(0.2, {
          format: () => 'strict_date_optional_time||epoch_millis||yyyy',
        }),
      },
      value: dateOf,
      multiple: true,
    },
    {
      path: 'at',
      kind: 'date',
      mapping: random.pick<Record<string, unknown>>([
        { type: 'date', format: 'yyyy-MM-dd HH:mm:ss' },
        { type: 'date', format: 'epoch_second' },
        { type: 'date_nanos' },
      ]),
      value: () => undefined,
    },
    {
      path: 'flag',
      kind: 'boolean',
      mapping: { type: 'boolean', ...random.members(0.1, { null_value: () => true }) },
      value: (each) => each.pick<unknown>([true, false, 'true', 'false', null]),
    },
    {
      path: 'ip',
      kind: 'ip',
      mapping: { type: 'ip' },
      value: (each) => each.pick(ADDRESSES),
      multiple: true,
    },
    { path: 'place', kind: 'geo_point', mapping: { type: 'geo_point' }, value: pointOf },
    { path: 'obj.name', kind: 'keyword', mapping: { type: 'keyword' }, value: (each) => each.pick(TAGS) },
    { path: 'obj.n', kind: 'integer', mapping: { type: 'integer' }, value: (each) => each.int(0, 9) },
    { path: 'obj.text', kind: 'text', mapping: legal(text()), value: (each) => textOf(each, 1, 5) },
    { path: 'free', kind: 'text', mapping: {}, value: (each) => textOf(each, 1, 4) },
    { path: 'freenum', kind: 'long', mapping: {}, value: (each) => each.int(0, 30) },
  ];
}

/** Dates of a field whose format is not the default. */
function formattedDate(random: Random, mapping: Record<string, unknown>): unknown {
  const instant = Math.floor(instantOf(random) / 1000) * 1000;
  if (mapping['format'] === 'epoch_second') return Math.floor(instant / 1000);
  const iso = new Date(instant).toISOString();
  if (mapping['type'] === 'date_nanos')
    return `${iso.slice(0, 19)}.${String(random.int(0, 999_999_999)).padStart(9, '0')}Z`;
  return iso.slice(0, 19).replace('T', ' ');
}

/** The data of a seed: about forty documents, or some hundred in `large` ones. */
export function makeDataset(seed: number, large = false): Dataset {
  const random = new Random(seed);
  const plans = plansOf(random).filter((plan) => random.chance(0.85) || plan.path === 'title');
  const special = specialFields(random).filter(() => random.chance(0.3));
  const count = large ? random.int(300, 500) : random.int(15, 50);
  const values = new Map<string, unknown[]>(plans.map(({ path }) => [path, []]));
  const documents: DataDocument[] = [];
  const hasKids = random.chance(0.4);
  for (let n = 0; n < count; n++) {
    const source: Record<string, unknown> = { seq: n };
    for (const plan of plans) {
      if (!random.chance(0.8)) continue;
      const make = (): unknown =>
        plan.path === 'at' ? formattedDate(random, plan.mapping) : plan.value(random);
      const value = plan.multiple === true && random.chance(0.2) ? random.list(0, 3, make) : make();
      setPath(source, plan.path, value);
      const seen = values.get(plan.path)!;
      for (const one of Array.isArray(value) && plan.kind !== 'geo_point' ? value : [value])
        if (one !== null && seen.length < 40) seen.push(one);
    }
    for (const { path, value } of special) if (random.chance(0.7)) source[path] = value(random);
    if (hasKids && random.chance(0.5)) source['kids'] = random.list(0, 3, () => kidOf(random));
    documents.push({ id: idOf(random, n), source });
  }
  // Documents that are written twice take a new place in the order of insertion.
  const again = random.chance(0.4) ? random.some(documents, 4) : [];
  const fields: DataField[] = [
    { path: 'seq', kind: 'integer', values: [0, 1, 5, count - 1], hasColumn: true, isMultiple: false },
  ];
  for (const { path, kind, mapping, multiple: isMultiple = false } of plans) {
    const seen = values.get(path)!;
    // The peer compares columns of date_nanos with milliseconds in ranges and decays.
    const hasColumn = kind !== 'text' && mapping['doc_values'] !== false && mapping['type'] !== 'date_nanos';
    const isScaled = mapping['type'] === 'scaled_float';
    fields.push({ path, kind, values: seen, hasColumn, isMultiple, isScaled });
    const subfields = mapping['fields'] as { raw?: unknown } | undefined;
    if (subfields?.raw !== undefined || path === 'free')
      fields.push({
        path: path === 'free' ? 'free.keyword' : `${path}.raw`,
        kind: 'keyword',
        values: seen,
        hasColumn: true,
        isMultiple,
      });
  }
  const properties: Record<string, unknown> = { seq: { type: 'integer' } };
  for (const { path, mapping } of plans) {
    if (Object.keys(mapping).length === 0) continue;
    const [first = '', inner] = path.split('.');
    if (inner === undefined) properties[first] = mapping;
    else {
      const object = (properties[first] ??= { properties: {} }) as { properties: Record<string, unknown> };
      object.properties[inner] = mapping;
    }
  }
  for (const { path, mapping } of special) properties[path] = mapping;
  if (hasKids) properties['kids'] = KIDS;
  if (random.chance(0.3)) {
    properties['other'] = { type: 'alias', path: 'seq' };
    fields.push({ path: 'other', kind: 'integer', values: [0, 1, 2], hasColumn: true, isMultiple: false });
  }
  return {
    settings: SETTINGS,
    mappings: { properties },
    documents: [...documents, ...again],
    deleted: random.chance(0.4) ? random.some(documents, 5).map(({ id }) => id) : [],
    fields,
    special: special.map(({ path }) => path),
  };
}

/** Nested objects. They are not among the fields of the document. */
const KIDS = {
  type: 'nested',
  properties: { name: { type: 'keyword' }, n: { type: 'integer' }, text: { type: 'text' } },
};

function kidOf(random: Random): Record<string, unknown> {
  return random.members(0.8, {
    name: () => random.skewed(TAGS),
    n: () => random.int(0, 9),
    text: () => textOf(random, 1, 4),
  });
}

const SETTINGS = {
  number_of_shards: 1,
  number_of_replicas: 0,
  similarity: SPECIAL_SIMILARITIES,
  analysis: {
    analyzer: {
      ...SPECIAL_ANALYSIS.analyzer,
      mine: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding', 'possessive'] },
    },
    filter: {
      ...SPECIAL_ANALYSIS.filter,
      possessive: { type: 'stemmer', language: 'possessive_english' },
    },
    normalizer: { folded: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
  },
};

function idOf(random: Random, n: number): string {
  return random.weighted([
    [8, () => `d${n}`],
    [1, () => String(n)],
    [1, () => `Ü ${n}`],
  ]);
}

function setPath(source: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', inner] = path.split('.');
  if (inner === undefined) source[first] = value;
  else {
    const object = (source[first] ??= {}) as Record<string, unknown>;
    object[inner] = value;
  }
}
