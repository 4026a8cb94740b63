// Bad requests for fuzzing: valid ones of every endpoint, with one to three things broken: a byte of the
// body, a value in its JSON, a piece of the path, a parameter. A seed gives the same requests again.

import { ROUTES } from '../src/wire/routes.ts';
import { BODIES, bodyFor } from './valid-bodies.ts';

/** A request as it goes over a socket. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly body: Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Text spliced into JSON as it is: numbers and forms that `JSON.stringify` would not print. */
const LITERALS = [
  '1e12', '-1', '0', '9007199254740993', '1e400', '-0', '18446744073709551616', '0.1', '1e-400', 'NaN', '01',
  '9223372036854775808', '-9223372036854775809', '2147483648', 'null', 'true', 'false', '[]', '{}', '""', '[[]]', '{"":{}}',
  '"\\ud800"', '"\\u0000"', '"\\uD800\\uD800"', '[null]', '[{}]', '{"a":{"b":null}}', '"*"', '".."', '"."', '"a..b"', '"%"',
  '"_id"', '"_source"', '"__proto__"', '{"__proto__":1}', '{"constructor":{"prototype":{}}}', '"_score"', '"hasOwnProperty"',
  '"1h"', '"-1"', '"now"', '"now/d||"', '"2024-13-45"', '"((((((("', '"[[[["', '"a{1000}"', '"(a|b){30}{30}"', '"\\\\"',
  `"${'x'.repeat(40_000)}"`, `${'['.repeat(200)}${']'.repeat(200)}`, `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`,
  `[${'1,'.repeat(3000)}1]`, `"${'* '.repeat(2000)}"`, `"${'(a OR '.repeat(500)}"`, '"\u{1F600}"', '"💥\\n\\t"',
]; // biome-ignore format: a table

const TEXTS = [
  '%00', '%', '%zz', '%ff', '%c3%28', '%ed%a0%80', '..', '.', '...', '%2e%2e', '%2F', '*', '_all', '-a', '_x', ',', ',,', 'A', '%20',
  '<a>', '%3Clogs-%7Bnow%2Fd%7D%3E', '%22', '%5C', '%E2%80%AE', 'x'.repeat(300), 'x'.repeat(3000), '1', '-1', '0', '1e12', '9007199254740993',
  '99999999999999999999', 'true', 'false', '100d', '-5m', '1.5h', '999999999999999999d', '0', '', 'null', '{}', '[]', '__proto__', 'constructor',
  'toString', 'a:b:c', 'a:(', 'a:[1+TO', 'a:/(/', '%F0%9F%92%A5', 'NaN', 'Infinity', '0x10', '+', '%2B', 'a%26b', '_doc', '_search', 'wait_for',
  'steady', 'steady,none', 'ste*', '2147483648', '-2147483649', 'external', 'open,closed,bad', '**', '-*', '*,-*', 'a.*.b', '(((',
]; // biome-ignore format: a table

const HEADERS: readonly [string, string][] = [
  ['content-type', 'text/html'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', ''],
  ['content-type', 'application/x-ndjson'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br'],
  ['accept', 'text/csv'],
  ['accept', 'application/yaml'],
  ['x-opaque-id', 'ä'],
  ['x-opaque-id', 'x'.repeat(5000)],
  ['expect', '100-continue'],
  ['if-none-match', '*'],
  ['range', 'bytes=0-'],
];

/** A reproducible stream of numbers (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 … n - 1. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

const ENDPOINTS = ROUTES.flatMap((route) => route.methods.map((method) => ({ ...route, method })));
/** Half of the requests go to what reads bodies of many forms. */
const RICH = ENDPOINTS.filter(({ path, method }) => method !== 'GET' && bodyFor(method, path) !== undefined);

/** The request of one seed. */
export function badRequest(seed: number): RawRequest {
  const dice = new Dice(Math.imul(seed, 0x9e3779b1));
  const { method, path, params } = dice.of(dice.chance(60) ? RICH : ENDPOINTS);
  const family = bodyFor(method, path);
  let body: Buffer | undefined;
  const text = family === undefined ? undefined : dice.of(BODIES[family]!);
  const values: Record<string, string> = {
    id: String(dice.below(12)),
    type: '_doc',
    name: 'fuzz-name',
    block: 'write',
  };
  let target = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? (name === 'index' ? dice.of(INDICES) : 'fuzz'),
  );
  // Waiting for what never comes is the answer to a valid request; here it should be short.
  const query: string[] = path.startsWith('/_cluster/health') ? ['timeout=1ms'] : [];
  while (params.length > 0 && dice.chance(40)) query.push(`${dice.of(params)}=${dice.of(TEXTS)}`);
  const headers: Record<string, string> = {};
  if (text !== undefined) {
    headers['content-type'] = 'application/json';
    body = Buffer.from(text);
  }
  for (let times = 1 + dice.below(3); times > 0; times--) {
    const what = dice.below(10);
    if (body !== undefined && what < 7) body = what < 5 ? bendJson(dice, body) : bendBytes(dice, body);
    else if (what < 8) target = bendPath(dice, target);
    else if (what < 9)
      query.push(`${dice.chance(30) ? dice.of(TEXTS) : dice.of([...params, 'q', 'size'])}=${dice.of(TEXTS)}`);
    else {
      const [name, value] = dice.of(HEADERS);
      headers[name] = value;
    }
  }
  return { method, target: query.length === 0 ? target : `${target}?${query.join('&')}`, body, headers };
}

const INDICES = ['steady', 'steady', 'fuzz-a', 'fuzz-b', 'none'];

function bendPath(dice: Dice, path: string): string {
  const parts = path.split('/');
  const at = 1 + dice.below(parts.length - 1);
  if (dice.chance(60)) parts[at] = dice.of(TEXTS);
  else if (dice.chance(50)) parts.splice(at, 0, dice.of(TEXTS));
  else parts.splice(at, 1);
  const bent = parts.join('/');
  return bent.startsWith('/') ? bent : `/${bent}`;
}

/** A value, a name or a member of the JSON (of one line, where there are several) is replaced, doubled or taken out. */
function bendJson(dice: Dice, body: Buffer): Buffer {
  const lines = body.toString('utf8').split('\n');
  const at = dice.below(lines.length);
  let tree: Json;
  try {
    tree = JSON.parse(lines[at]!) as Json;
  } catch {
    return bendBytes(dice, body);
  }
  const marks: string[] = [];
  const mark = (): string => {
    marks.push(dice.of(LITERALS));
    return `\u0001${marks.length - 1}\u0001`;
  };
  const places: (() => void)[] = [];
  let whole: Json | undefined;
  places.push(() => {
    whole = mark();
  });
  const visit = (node: Json): void => {
    if (Array.isArray(node)) {
      places.push(() => void node.push(mark()));
      for (let i = 0; i < node.length; i++) {
        places.push(() => void (node[i] = mark()));
        visit(node[i]!);
      }
    } else if (typeof node === 'object' && node !== null) {
      places.push(() => void (node[dice.of(NAMES)] = mark()));
      for (const name of Object.keys(node)) {
        places.push(() => void (node[name] = mark()));
        places.push(() => void (node[name] = mark()));
        places.push(() => void delete node[name]);
        places.push(() => {
          const value = node[name]!;
          delete node[name];
          node[dice.of(NAMES)] = value;
        });
        places.push(() => void (node[`\u0002${name}`] = structuredClone(node[name]!)));
        visit(node[name]!);
      }
    }
  };
  visit(tree);
  dice.of(places)();
  lines[at] = JSON.stringify(whole ?? tree)
    .replace(/"\\u0001(\d+)\\u0001"/g, (_, n: string) => marks[Number(n)]!)
    .replaceAll('\\u0002', '');
  return Buffer.from(lines.join('\n'));
}

const NAMES = [
  '', 'query', 'size', 'from', 'sort', 'boost', '_name', 'field', 'value', 'fields', 'type', 'format', 'missing', 'id', '__proto__', 'a.b..c', '.', 'x.',
  'index', 'doc', 'script', 'aggs', 'properties', 'mode', 'order', 'fuzziness', 'minimum_should_match', 'gte', 'slop', 'constructor', 'pit', 'slice',
  'page', 'next_token', 'collapse', 'highlight', 'track_total_hits', 'search_after', 'timeout', 'n', 't', 'k',
]; // biome-ignore format: a table

function bendBytes(dice: Dice, body: Buffer): Buffer {
  const at = dice.below(body.length + 1);
  const junk = dice.of(JUNK);
  switch (dice.below(6)) {
    case 0:
      return body.subarray(0, at);
    case 1:
      return Buffer.concat([body.subarray(0, at), junk, body.subarray(at)]);
    case 2:
      return Buffer.concat([body.subarray(0, at), junk, body.subarray(at + junk.length)]);
    case 3:
      return Buffer.concat([body.subarray(0, at), body.subarray(dice.below(body.length + 1))]);
    case 4:
      return Buffer.concat([body.subarray(0, at), body.subarray(at + 1 + dice.below(8))]);
    default: {
      const bent = Buffer.from(body);
      if (bent.length > 0) bent[dice.below(bent.length)]! ^= 1 << dice.below(8);
      return bent;
    }
  }
}

const JUNK: readonly Buffer[] = [
  Buffer.from([0]), Buffer.from([0xff, 0xfe]), Buffer.from([0xc3, 0x28]), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('\r'), Buffer.from('\n'), Buffer.from('"'), Buffer.from('{'), Buffer.from('}'), Buffer.from('['),
  Buffer.from(']'), Buffer.from(','), Buffer.from(':'), Buffer.from('\\'), Buffer.from('\\u12'), Buffer.from('1e'), Buffer.from('-'), Buffer.from('/*'),
  Buffer.from('null'), Buffer.from('{"a":'.repeat(120)), Buffer.from('"\\ud83d"'), Buffer.from('\n{"index":{}}\n'), Buffer.from('9'.repeat(400)),
]; // biome-ignore format: a table
