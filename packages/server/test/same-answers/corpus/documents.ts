// The documents that are searched, and a commit that creates, overwrites, updates and deletes some.

import { lines, type Request, request } from '../request.ts';

const WORDS = ['red', 'green', 'blue', 'dark', 'light', 'deep'];

/** A few words, drawn by who has the number n. */
function colour(n: number): object {
  const words = WORDS.filter((_, w) => (n >> w) & 1 || n % (w + 2) === 0);
  return { n, tag: WORDS[n % 6], text: words.join(' '), score: Math.fround(n / 7), list: [n, n + 1] };
}

const TEXTS = ['plain', 'a "quoted" \\ one', 'é €😀', '\u0001\u001f', '', 'zzz'];
const NUMBERS = [0, -0, 1.5, -1e-7, 1e21, 123_456_789.25, 1e7, 3];

/** Values of all kinds, as text: some are no numbers of JavaScript. */
function kinds(n: number): string {
  const source = {
    k: n % 9 === 8 ? undefined : TEXTS[n % TEXTS.length],
    d: NUMBERS[n % NUMBERS.length],
    f: NUMBERS[(n * 3) % NUMBERS.length],
    day: 1_600_000_000_000 + n * 1_000,
    b: n % 3 === 0,
    u: n % 2 === 0 ? n : '@',
    l: n % 2 === 0 ? -n : '@',
    ip: `10.0.${n % 3}.${n}`,
    place: { lat: n % 80, lon: -n },
    o: n % 4 === 0 ? { x: [n, n + 1], y: { z: `deep ${n}` } } : undefined,
    ...(n % 40 === 39 ? { short: 'too long' } : {}),
  };
  return JSON.stringify(source)
    .replace('"u":"@"', '"u":18446744073709551615')
    .replace('"l":"@"', '"l":-9007199254740993');
}

const idOfKinds = (n: number): string => `${TEXTS[n % TEXTS.length]}${n}`;

function linesOfKinds(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    const index = { _id: idOfKinds(n), ...(n % 50 === 49 ? { routing: 'r' } : {}) };
    return lines({ index }, kinds(n));
  }).join('');
}

const REALS = [3, 0.1, 1 / 3, 12_345_678, 1e-5, -2.5, 1e21];

/** Texts by Zipf's law: the word w<r> is in one of r documents or so. */
function zipf(n: number): string {
  const words: string[] = [];
  for (let r = 1; r <= 64; r++) if ((n * 7_919 + r * 104_729) % r === 0) words.push(`w${r}`);
  return `${words.join(' ')} ${'common '.repeat(1 + (n % 5))}`;
}

function many(n: number): string {
  const source = {
    n: n % 700,
    ...(n % 9 === 0 ? {} : { tag: `"${n % 90}" ü\n` }),
    ...(n % 5 === 0 ? {} : { real: REALS[n % 7]! * (1 + (n % 20)) }),
    float: Math.fround(n / 7),
    day: 1_700_000_000_000 + n * 86_400_000,
    text: zipf(n),
  };
  return JSON.stringify(source).replace('{', `{"large":${18_446_744_073_709_551_615n - BigInt(n)},`);
}

function linesOfMany(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) =>
    lines({ index: { _id: `m${from + i}` } }, many(from + i)),
  ).join('');
}

const bulk = (index: string, body: string): Request => request(`POST /${index}/_bulk`, body);

const colourLines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) =>
    lines({ index: { _id: `c${from + i}` } }, colour(from + i)),
  ).join('');

/** Documents of `many` that are sealed; the others are in a tail. */
const SEALED = 3_000;
const ALL = 3_100;

export const documents: readonly Request[] = [
  request('PUT /colours', {
    mappings: {
      properties: {
        n: { type: 'integer' },
        tag: { type: 'keyword' },
        text: { type: 'text' },
        score: { type: 'float' },
      },
    },
    aliases: { paints: {}, reds: { filter: { term: { tag: 'red' } } } },
  }),
  request('PUT /kinds', {
    mappings: {
      properties: {
        k: { type: 'keyword' },
        d: { type: 'double' },
        f: { type: 'float' },
        day: { type: 'date' },
        b: { type: 'boolean' },
        u: { type: 'unsigned_long' },
        l: { type: 'long' },
        ip: { type: 'ip' },
        place: { type: 'geo_point' },
        short: { type: 'keyword', ignore_above: 3 },
      },
    },
  }),
  request('PUT /many', {
    mappings: {
      properties: {
        n: { type: 'integer' },
        tag: { type: 'keyword' },
        real: { type: 'double' },
        float: { type: 'float' },
        day: { type: 'date' },
        large: { type: 'unsigned_long' },
        text: { type: 'text' },
      },
    },
  }),
  request('PUT /empty'),
  bulk('colours', colourLines(0, 25)),
  bulk('colours', colourLines(25, 45)),
  bulk('kinds', linesOfKinds(0, 40)),
  ...[0, 1_000, 2_000].map((from) => bulk('many', linesOfMany(from, from + 1_000))),
  request('POST /many/_flush'),
  bulk('many', linesOfMany(SEALED, ALL)),
  bulk('colours', colourLines(45, 60)),
  bulk('kinds', linesOfKinds(40, 60)),
  request('DELETE /many/_doc/m77'),
];

export const commit: readonly Request[] = [
  bulk(
    'colours',
    lines(
      { delete: { _id: 'c4' } },
      { index: { _id: 'c7' } },
      { ...colour(7), text: 'blue blue deep' },
      { update: { _id: 'c9' } },
      { doc: { tag: 'deep', n: 33 } },
      { create: { _id: 'c60' } },
      colour(60),
    ),
  ),
  bulk('kinds', `${lines({ delete: { _id: idOfKinds(5) } })}${linesOfKinds(60, 63)}`),
  bulk(
    'many',
    `${lines({ delete: { _id: 'm3' } }, { delete: { _id: `m${SEALED + 3}` } }, { update: { _id: 'm10' } }, { doc: { n: 5 } })}${linesOfMany(ALL, ALL + 5)}${linesOfMany(20, 22)}`,
  ),
];
