// Random queries in the two query languages: query_string and simple_query_string.

import type { Body, Generator } from './generator.ts';

export function queryStringQuery(g: Generator): Body {
  const { random } = g;
  return {
    query: queryString(g),
    ...(random.chance(0.2)
      ? { default_field: random.pick(['title', 'body', '*']) }
      : random.members(0.5, { fields: () => g.fieldNames() })),
    ...random.members(0.1, {
      default_operator: () => random.pick(['and', 'or', 'AND']),
      analyzer: () => random.pick(['standard', 'whitespace', 'english', 'keyword']),
      lenient: () => random.chance(0.8),
      minimum_should_match: () => random.pick<unknown>([1, 2, '75%', '-1']),
      allow_leading_wildcard: () => random.chance(0.5),
      analyze_wildcard: () => random.chance(0.5),
      phrase_slop: () => random.int(0, 3),
      escape: () => true,
      type: () => random.pick([...['best_fields', 'most_fields', 'cross_fields', 'phrase', 'bool_prefix']]),
      tie_breaker: () => random.pick([0, 0.4]),
      boost: () => 2,
    }),
    ...random.members(0.04, {
      quote_analyzer: () => 'whitespace',
      fuzziness: () => random.pick<unknown>(['AUTO', 1]),
      fuzzy_prefix_length: () => 1,
      fuzzy_max_expansions: () => 3,
      time_zone: () => '+02:00',
      auto_generate_synonyms_phrase_query: () => false,
      enable_position_increments: () => true,
    }),
  };
}

export function simpleQueryStringQuery(g: Generator): Body {
  const { random } = g;
  return {
    query: simpleString(g),
    ...random.members(0.6, { fields: () => g.fieldNames() }),
    ...random.members(0.12, {
      default_operator: () => random.pick(['and', 'or']),
      analyzer: () => random.pick(['standard', 'whitespace', 'english']),
      lenient: () => random.chance(0.8),
      minimum_should_match: () => random.pick<unknown>([1, 2, '75%']),
      flags: () => random.pick(['ALL', 'NONE', 'AND|OR|PREFIX', 'PHRASE', 'NOT|PRECEDENCE', 'FUZZY|SLOP']),
      analyze_wildcard: () => random.chance(0.5),
      fuzzy_prefix_length: () => 1,
      boost: () => 2,
    }),
  };
}

/** A text in the syntax of query_string, seldom one that is wrong. */
export function queryString(g: Generator): string {
  const { random } = g;
  const parts = random.list(1, 4, () => piece(g, 2));
  const joined = parts.reduce(
    (text, part) => `${text}${random.pick([' ', ' ', ' AND ', ' OR ', ' && ', ' || ', ' NOT '])}${part}`,
  );
  return random.chance(0.03) ? joined.slice(0, random.int(1, joined.length)) : joined;
}

function piece(g: Generator, depth: number): string {
  const { random } = g;
  const word = (): string => (random.chance(0.8) ? g.word().replaceAll(/["/:^~]/g, '') : g.word());
  const base = random.weighted<string>([
    [8, word],
    [2, () => `"${g.text().replaceAll('"', '')}"`],
    [1, () => `"${g.text()}"~${random.int(1, 4)}`],
    [1, () => `${word().slice(0, 2)}*`],
    [0.5, () => `*${word().slice(-2)}`],
    [0.5, () => `${word().slice(0, 1)}?${word().slice(2)}`],
    [1, () => `${word()}~${random.pick(['', '1', '2', '0.5'])}`],
    // Longer than the names of features, which the peer looks up only here.
    [0.5, () => `/${word().slice(0, 2)}.+/`],
    [1, () => rangeOf(g)],
    [0.5, () => `_exists_:${g.field().path}`],
    [0.3, () => random.pick(['*:*', '*', 'a\\*b', 'title:*', '\\(', 'te\\-st'])],
    [
      2,
      () =>
        depth > 0
          ? `(${random.list(1, 3, () => piece(g, depth - 1)).join(random.pick([' ', ' OR ', ' AND ']))})`
          : word(),
    ],
  ]);
  const named = random.chance(0.25) && !base.includes(':') ? `${fieldOf(g)}:${base}` : base;
  const boosted = random.chance(0.08) ? `${named}^${random.pick(['2', '0.5'])}` : named;
  return random.weighted([
    [8, () => boosted],
    [1, () => `+${boosted}`],
    [1, () => `-${boosted}`],
    [0.5, () => `!${boosted}`],
    [0.5, () => `NOT ${boosted}`],
  ]);
}

function fieldOf(g: Generator): string {
  return g.random.weighted([
    [5, () => g.field('text', 'keyword').path],
    [2, () => g.field().path],
    [0.5, () => g.random.pick(['ti\\*', 'obj.\\*', '\\*'])],
  ]);
}

function rangeOf(g: Generator): string {
  const { random } = g;
  const field = g.field('integer', 'decimal', 'date', 'keyword');
  const bound = (): string => {
    const text = String(g.value(field));
    return random.chance(0.15) ? '*' : /^[\w.]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`;
  };
  const [open, close] = [random.pick(['[', '{']), random.pick([']', '}'])];
  return random.chance(0.7)
    ? `${field.path}:${open}${bound()} TO ${bound()}${close}`
    : `${field.path}:${random.pick(['>', '>=', '<', '<='])}${bound()}`;
}

function simpleString(g: Generator): string {
  const { random } = g;
  const one = (): string =>
    random.weighted([
      [6, () => g.word()],
      [1, () => `"${g.text()}"`],
      [0.5, () => `"${g.text()}"~${random.int(1, 3)}`],
      [1, () => `${g.word().slice(0, 2)}*`],
      [1, () => `${g.word()}~${random.pick(['', '1', '2'])}`],
      [1, () => `-${g.word()}`],
      [1, () => `(${g.word()} ${random.pick(['+', '|', ''])} ${g.word()})`],
      [0.3, () => random.pick(['*', '"', '(', '\\*', '-', '+', '|'])],
    ]);
  return random.list(1, 4, one).join(random.pick([' ', ' ', ' + ', ' | ', ' -']));
}
