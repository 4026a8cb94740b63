// What does a deep page of the best matches cost? A page far behind the first match, of a query that nobody has asked before,
// beside scoring everything (a count of matches above a score that all exceed) for another such query; and, where it answers at
// all, beside OpenSearch. And one more page of a query that is known, which is found in the ranked list of the page before.

import { expectSameBest } from '../best.ts';
import { costs } from '../compare.ts';
import { randomFrom } from '../corpus.ts';
import { searchRequest } from '../listing.ts';
import type { Request } from '../load.ts';
import { toWire } from '../queries.ts';
import {
  type Claim,
  expectEqual,
  type Hit,
  type Question,
  type Setting,
  search,
  type Target,
} from '../question.ts';
import { roundsOf, timeAll } from '../timing.ts';

const SIZE = 20;
const CLASS = 'OR of 2 common';
/** Ranks of the words that are asked for, as in that class. */
const [FROM, TO] = [4, 60];
const ROUNDS = 4;

export const deepScore: Question = {
  name: 'deep_score',
  asks: 'What does a deep page of the best matches cost?',
  async run(setting) {
    await checkPages(setting);
    const { smoke, truth } = setting;
    const random = randomFrom(17);
    // The rarest pair matches more than a third of all documents.
    const furthest = Math.min(9_000, truth.live * 0.3);
    const deep = (): number => Math.floor(random() * furthest);
    const turns = roundsOf(setting, ROUNDS) + 1;
    const queries = pairs(random).map((words) => toWire({ kind: 'or', words }));
    const half = Math.floor(queries.length / 2);
    // Each query is asked once.
    const most = Math.min(smoke ? 4 : setting.most, Math.floor(half / turns) * ROUNDS);
    const each = Math.ceil(most / ROUNDS);
    const pages = queries.map((query) => searchRequest({ query, size: SIZE, from: deep() }));
    const others = queries.map((query) => searchRequest({ query, size: SIZE, from: deep() }));
    const counts = queries.map((query) =>
      // Else the peer keeps the reply and does not score at all.
      uncached(searchRequest({ query, size: 0, min_score: 1e-9, track_total_hits: true })),
    );
    return timeAll({ ...setting, most }, [
      { name: 'scoring everything', requests: inTurn(counts.slice(half), each) },
      { name: 'deep page', requests: inTurn(pages.slice(0, half), each) },
      { name: 'deep page of a known query', requests: inTurn(others.slice(0, half), each) },
    ]);
  },
  claims: (rows): Claim[] => [
    {
      work: 'deep page in _score order',
      says: 'deep page / scoring everything',
      ...costs(rows, 'deep page', 'scoring everything'),
      unit: '×',
      atMost: 1.5,
    },
  ],
};

/** Totals are those of a naive count, and deep pages have the same hits on every server. */
async function checkPages({ servers, truth }: Setting): Promise<void> {
  const c = truth.classes.findIndex(({ name }) => name === CLASS);
  const random = randomFrom(19);
  for (const [q, made] of (truth.classes[c]?.queries ?? []).slice(0, 4).entries()) {
    const query = toWire(made);
    const text = JSON.stringify(query);
    const total = truth.totals[c]?.[q] ?? 0;
    const deep = Math.floor(random() * Math.max(1, Math.min(9_000, total - SIZE)));
    const pages: Hit[][] = [];
    for (const target of servers) {
      const all = await search(target, { query, size: 0, min_score: 1e-9, track_total_hits: true });
      expectEqual(target, `total of ${text}`, all.hits.total?.value, total);
      const page = await search(target, { query, size: SIZE, from: deep });
      expectEqual(target, `hits of ${text}`, page.hits.hits.length, Math.min(SIZE, total - deep));
      pages.push([...page.hits.hits]);
    }
    expectSameBest(pages, text, deep);
  }
}

/** All pairs of words, shuffled. */
function pairs(random: () => number): [number, number][] {
  const all: [number, number][] = [];
  for (let a = FROM; a < TO; a++) for (let b = a + 1; b < TO; b++) all.push([a, b]);
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}

/** So many requests that no server was asked before, for each turn. */
function inTurn(requests: readonly Request[], each: number): (target: Target) => readonly Request[] {
  const asked = new Map<Target, number>();
  return (target) => {
    const from = asked.get(target) ?? 0;
    asked.set(target, from + each);
    return requests.slice(from, from + each);
  };
}

function uncached(request: Request): Request {
  return { ...request, path: `${request.path}?request_cache=false` };
}
