// Random queries of every kind that the product has.

import type { Body, Generator } from './generator.ts';
import { queryStringQuery, simpleQueryStringQuery } from './query-strings.ts';
import { fieldQueries } from './special-fields.ts';
import { SPECIAL_QUERIES } from './special-queries.ts';

/** A query whose compound queries are nested at most `depth` deep. */
export function makeQuery(g: Generator, depth = 2): Body {
  const leaf = g.random.chance(depth > 0 ? 0.6 : 1);
  const special = leaf && g.random.chance(0.07) ? fieldQueries(g) : [];
  const [name, make] = g.random.pick(
    special.length > 0 ? special : !leaf ? COMPOUNDS : g.random.chance(0.12) ? SPECIAL_QUERIES : LEAVES,
  );
  const query = { [name]: make(g, depth - 1) };
  return g.uses(`query ${name}${special.length > 0 ? ' of a special field' : ''}`, query);
}

type Maker = (g: Generator, depth: number) => unknown;

function common(g: Generator): Body {
  return g.random.members(0.08, {
    boost: () => g.random.pick([0, 0.5, 2, 3.25]),
    _name: () => g.random.pick(['first', 'second']),
  });
}

function fuzziness(g: Generator): unknown {
  return g.random.pick<unknown>(['AUTO', 0, 1, 2, 'AUTO:3,6', '1']);
}

function minimum(g: Generator): unknown {
  return g.random.pick<unknown>([1, 2, 3, -1, '50%', '-30%', '2<75%', '1<-1 3<50%', 0]);
}

function matchOptions(g: Generator): Body {
  return {
    ...g.random.members(0.12, {
      operator: () => g.random.pick(['and', 'or', 'AND']),
      minimum_should_match: () => minimum(g),
      analyzer: () => g.random.pick(['standard', 'whitespace', 'keyword', 'english', 'stop']),
      zero_terms_query: () => g.random.pick(['none', 'all']),
      lenient: () => g.random.chance(0.5),
      fuzziness: () => fuzziness(g),
    }),
    ...g.random.members(0.03, {
      prefix_length: () => g.random.int(0, 2),
      max_expansions: () => g.random.int(1, 5),
      fuzzy_transpositions: () => false,
    }),
    ...common(g),
  };
}

function onField(g: Generator, path: string, key: string, value: unknown, options: Body): Body {
  const short = Object.keys(options).length === 0 && g.random.chance(0.6);
  return { [path]: short ? value : { [key]: value, ...options } };
}

function match(g: Generator): Body {
  const field = g.random.chance(0.7) ? g.field('text') : g.field();
  return onField(g, field.path, 'query', g.value(field), matchOptions(g));
}

function phrase(g: Generator, extra: Readonly<Record<string, () => unknown>>): Body {
  const field = g.random.chance(0.85) ? g.field('text') : g.field();
  const options = {
    ...g.random.members(0.15, {
      analyzer: () => g.random.pick(['standard', 'whitespace', 'keyword', 'stop']),
      ...extra,
    }),
    ...common(g),
  };
  return onField(g, field.path, 'query', g.value(field), options);
}

/** Among all fields, the peer blends the frequencies of words of nested objects with those of the others. */
function hidesObjects(g: Generator, type: string): boolean {
  return type === 'cross_fields' && 'kids' in (g.dataset.mappings['properties'] as object);
}

function multiMatch(g: Generator): Body {
  const { random } = g;
  const type = random.pick([
    ...['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix'],
  ]);
  const given = random.chance(0.7);
  g.features.add(`multi_match ${type}`);
  const phrases = type.startsWith('phrase') || type === 'cross_fields';
  return {
    query: g.text(),
    ...(random.chance(0.9) || hidesObjects(g, type) ? { fields: g.fieldNames() } : {}),
    ...(given ? { type } : {}),
    ...random.members(0.12, {
      operator: () => random.pick(['and', 'or']),
      minimum_should_match: () => minimum(g),
      tie_breaker: () => random.pick([0, 0.3, 1]),
      analyzer: () => random.pick(['standard', 'whitespace', 'english']),
      lenient: () => random.chance(0.8),
      zero_terms_query: () => random.pick(['none', 'all']),
      ...(phrases && given ? {} : { fuzziness: () => fuzziness(g) }),
      ...(type === 'phrase' && given ? { slop: () => random.int(0, 3) } : {}),
    }),
    ...common(g),
  };
}

function term(g: Generator): Body {
  const field = g.field();
  const value = field.kind === 'text' ? g.word().toLowerCase() : g.value(field);
  return onField(g, field.path, 'value', value, {
    ...g.random.members(field.kind === 'keyword' || field.kind === 'text' ? 0.15 : 0, {
      case_insensitive: () => g.random.chance(0.7),
    }),
    ...common(g),
  });
}

function terms(g: Generator): Body {
  const field = g.field();
  const one = (): unknown => (field.kind === 'text' ? g.word().toLowerCase() : g.value(field));
  return { [field.path]: g.random.list(0, 4, one), ...common(g) };
}

function range(g: Generator): Body {
  const { random } = g;
  const field = g.field('integer', 'long', 'decimal', 'date', 'ip', 'keyword', 'text', 'boolean');
  const bound = (): unknown =>
    field.kind === 'date' && random.chance(0.3)
      ? random.pick(['2020-01-01||+1M/d', '2021||/y', 'now-20y/y', '2022-03-05||-3d', 'now+1h/d'])
      : field.kind === 'ip'
        ? random.pick(['10.0.0.2', '10.0.1.0', '2001:db8::2', '::'])
        : g.value(field);
  const options = random.members(0.5, {
    [random.pick(['gte', 'gt'])]: bound,
    [random.pick(['lte', 'lt'])]: bound,
  });
  const old = random.members(0.03, {
    from: bound,
    to: bound,
    include_lower: () => random.chance(0.5),
    include_upper: () => random.chance(0.5),
  });
  const dates =
    field.kind === 'date'
      ? random.members(0.15, {
          time_zone: () => random.pick(['+01:00', 'Europe/Berlin', 'America/New_York']),
          format: () => random.pick(['yyyy-MM-dd', 'yyyy', 'strict_date_optional_time||epoch_millis']),
          relation: () => 'intersects',
        })
      : {};
  return { [field.path]: { ...options, ...old, ...dates, ...common(g) } };
}

function pattern(g: Generator, key: string, make: (word: string) => string, extra: Body): Body {
  const field = g.random.chance(0.9) ? g.field('text', 'keyword') : g.field();
  const from = g.random.chance(0.5) ? g.word() : String(g.value(field));
  return onField(g, field.path, key, make(from), {
    ...extra,
    ...g.random.members(0.15, { case_insensitive: () => g.random.chance(0.7) }),
    ...common(g),
  });
}

function wildcardOf(g: Generator, word: string): string {
  const at = g.random.int(0, word.length);
  return g.random.pick([
    `${word.slice(0, at)}*`,
    `*${word.slice(at)}`,
    `${word.slice(0, at)}?${word.slice(at + 1)}`,
    `${word.slice(0, 1)}*${word.slice(-1)}`,
    '*',
    `${word}\\*`,
    word,
  ]);
}

function expressionOf(g: Generator, word: string): string {
  const at = g.random.int(0, Math.max(0, word.length - 1));
  const [head, tail] = [word.slice(0, at), word.slice(at)];
  return g.random.pick([
    `${head}.*`,
    `.*${tail}`,
    `${head}[a-z]+`,
    `(${head}|${tail}).?`,
    `${head}.{0,3}`,
    `${word}|re.`,
    `${head}[^aeiou]*`,
    '[0-9]+',
    '<1-50>',
    `~${head}`,
    `${head}@`,
    `(${word}`,
  ]);
}

const LEAVES: readonly (readonly [string, Maker])[] = [
  ['match', match],
  ['match', match],
  ['match_phrase', (g) => phrase(g, { slop: () => g.random.int(0, 4), zero_terms_query: () => 'all' })],
  [
    'match_phrase_prefix',
    (g) => phrase(g, { slop: () => g.random.int(0, 2), max_expansions: () => g.random.int(1, 4) }),
  ],
  [
    'match_bool_prefix',
    (g) =>
      phrase(g, {
        operator: () => 'and',
        minimum_should_match: () => minimum(g),
        fuzziness: () => fuzziness(g),
      }),
  ],
  ['multi_match', multiMatch],
  ['multi_match', multiMatch],
  ['query_string', queryStringQuery],
  ['query_string', queryStringQuery],
  ['simple_query_string', simpleQueryStringQuery],
  ['term', term],
  ['term', term],
  ['terms', terms],
  ['range', range],
  ['range', range],
  [
    'exists',
    (g) => ({
      field: g.random.chance(0.9) ? g.field().path : g.random.pick(['obj', '_id', 'o*', '*', '_index']),
      ...common(g),
    }),
  ],
  ['ids', (g) => ({ values: g.random.list(0, 4, () => g.id()), ...common(g) })],
  ['prefix', (g) => pattern(g, 'value', (word) => word.slice(0, g.random.int(0, 3)), {})],
  ['wildcard', (g) => pattern(g, g.random.pick(['value', 'wildcard']), (word) => wildcardOf(g, word), {})],
  [
    'regexp',
    (g) =>
      pattern(
        g,
        'value',
        (word) => expressionOf(g, word),
        g.random.members(0.1, {
          // Without COMPLEMENT, which OpenSearch 3.1 no longer heeds (docs/reference/wire.md).
          flags: () => g.random.pick(['ALL', 'NONE', 'INTERVAL', 'EMPTY']),
          max_determinized_states: () => 10000,
        }),
      ),
  ],
  ['fuzzy', fuzzy],
  ['match_all', common],
  ['match_none', common],
  ['distance_feature', distanceFeature],
];

function fuzzy(g: Generator): Body {
  const field = g.random.chance(0.9) ? g.field('text', 'keyword') : g.field();
  const word = g.word();
  const at = g.random.int(0, word.length - 1);
  const typo = g.random.pick([
    word,
    word.slice(0, at) + word.slice(at + 1),
    `${word.slice(0, at)}q${word.slice(at)}`,
  ]);
  return onField(g, field.path, 'value', typo, {
    ...g.random.members(0.2, {
      fuzziness: () => fuzziness(g),
      prefix_length: () => g.random.int(0, 2),
      max_expansions: () => g.random.int(1, 10),
      transpositions: () => g.random.chance(0.5),
    }),
    ...common(g),
  });
}

function distanceFeature(g: Generator): Body {
  const dates = g.random.chance(0.6);
  const field = g.field(dates ? 'date' : 'geo_point');
  return {
    field: field.path,
    origin: dates
      ? g.random.pick(['2021-05-01', '2020-01-01T00:00:00Z'])
      : g.random.pick<unknown>([[3, 4], '10,20', { lat: 1, lon: 2 }]),
    pivot: dates ? g.random.pick(['7d', '1h', '300d']) : g.random.pick(['100km', '10m', '1000mi']),
    ...common(g),
  };
}

function clauses(g: Generator, depth: number, least: number, most: number): unknown {
  const list = g.random.list(least, most, () => makeQuery(g, depth));
  return list.length === 1 && g.random.chance(0.4) ? list[0] : list;
}

/** Clauses of `must_not`, without ranges that have no bound: the peer answers such a range like its opposite. */
function exclusions(given: unknown): unknown {
  const isBounded = (query: unknown): boolean =>
    Object.values((query as { range?: Record<string, Body> }).range ?? {}).every((body) =>
      Object.keys(body).some((key) => BOUNDS.has(key)),
    );
  return Array.isArray(given) ? given.filter(isBounded) : isBounded(given) ? given : [];
}

const BOUNDS: ReadonlySet<string> = new Set(['gte', 'gt', 'lte', 'lt', 'from', 'to']);

function scoreFunction(g: Generator): Body {
  const { random } = g;
  const kind = random.pick(['weight', 'field_value_factor', 'random_score', 'gauss', 'exp', 'linear']);
  g.features.add(`function ${kind}`);
  const weight = { weight: random.pick([0, 0.5, 2, 10]) };
  if (kind === 'weight') return weight;
  const optional = random.chance(0.3) ? weight : {};
  if (kind === 'random_score') return { [kind]: { seed: random.int(0, 99), field: 'seq' }, ...optional };
  if (kind === 'field_value_factor') {
    return {
      [kind]: {
        field: g.numeric().path,
        ...random.members(0.4, {
          factor: () => random.pick([1, 0.5, 3]),
          modifier: () =>
            random.pick([
              ...['none', 'log1p', 'log2p', 'ln1p', 'ln2p', 'sqrt', 'square', 'reciprocal', 'log', 'ln'],
            ]),
        }),
        ...(random.chance(0.8) ? { missing: random.pick([0, 1, 5]) } : {}),
      },
      ...optional,
    };
  }
  const dates = random.chance(0.4);
  const field = dates ? g.column('date') : g.numeric();
  return {
    [kind]: {
      [field.path]: {
        origin: dates ? '2021-03-01' : random.pick([0, 5, 100]),
        scale: dates ? random.pick(['30d', '12h']) : random.pick([1, 5, 50]),
        ...random.members(0.3, {
          offset: () => (dates ? '1d' : 2),
          decay: () => random.pick([0.5, 0.2, 0.9]),
        }),
      },
      ...random.members(0.2, { multi_value_mode: () => random.pick(['min', 'max', 'avg', 'sum']) }),
    },
    ...optional,
  };
}

function functionScore(g: Generator, depth: number): Body {
  const { random } = g;
  const list = random.list(1, 3, () => ({
    ...scoreFunction(g),
    ...random.members(0.4, { filter: () => makeQuery(g, 0) }),
  }));
  return {
    ...random.members(0.8, { query: () => makeQuery(g, depth) }),
    ...(random.chance(0.3) ? scoreFunction(g) : { functions: list }),
    ...random.members(0.3, {
      score_mode: () => random.pick(['multiply', 'sum', 'avg', 'first', 'max', 'min']),
      boost_mode: () => random.pick(['multiply', 'replace', 'sum', 'avg', 'max', 'min']),
      max_boost: () => random.pick([1, 5]),
      min_score: () => random.pick([0, 0.5, 2]),
    }),
    ...common(g),
  };
}

const COMPOUNDS: readonly (readonly [string, Maker])[] = [
  ...Array.from({ length: 6 }, (): [string, Maker] => [
    'bool',
    (g, depth) => ({
      ...g.random.members(0.4, {
        must: () => clauses(g, depth, 1, 2),
        should: () => clauses(g, depth, 1, 3),
        filter: () => clauses(g, depth, 1, 2),
        must_not: () => exclusions(clauses(g, depth, 1, 2)),
      }),
      ...g.random.members(0.15, { minimum_should_match: () => minimum(g) }),
      ...common(g),
    }),
  ]),
  ['constant_score', (g, depth) => ({ filter: makeQuery(g, depth), ...common(g) })],
  [
    'dis_max',
    (g, depth) => ({
      queries: g.random.list(1, 3, () => makeQuery(g, depth)),
      ...g.random.members(0.4, { tie_breaker: () => g.random.pick([0, 0.3, 1]) }),
      ...common(g),
    }),
  ],
  [
    'boosting',
    (g, depth) => ({
      positive: makeQuery(g, depth),
      negative: makeQuery(g, depth),
      negative_boost: g.random.pick([0.2, 0.5, 1]),
      ...common(g),
    }),
  ],
  ['function_score', functionScore],
  ['function_score', functionScore],
];
