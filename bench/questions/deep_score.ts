// What does a deep page of the best matches cost? A page far behind the first match, of a query that nobody has asked before,
// beside scoring everything (a count of matches above a score that all exceed) for another such query; and, where it answers at
// all, beside OpenSearch. And another page of queries that are asked over and over, which is found in the ranked list of the first.

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
import { timeAll, turnsOf } from '../timing.ts';

const SIZE = 20;
const CLASS = 'OR of 2 common';
/** Ranks of the words that are asked for, as in that class. */
const [FROM, TO] = [4, 60];
/** Queries that are asked in every turn. */
const KNOWN = 40;

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
    const queries = pairs(random).map((words) => toWire({ kind: 'or', words }));
    const known = queries.splice(0, smoke ? 2 : KNOWN);
    const half = Math.floor(queries.length / 2);
    const turns = turnsOf(setting);
    // Each of the others is asked in one turn, and there once: but in the one that warms up, over and over.
    const most = Math.min(smoke ? 4 : setting.most, Math.floor(half / (turns + 1)) * turns);
    const deepPage = (query: object): Request => searchRequest({ query, size: SIZE, from: deep() });
    const pages = queries.slice(0, half).map(deepPage);
    const others = pages.map((_, k) => deepPage(known[k % known.length]!));
    const counts = queries.slice(half).map((query) =>
      // Else the peer keeps the reply and does not score at all.
      uncached(searchRequest({ query, size: 0, min_score: 1e-9, track_total_hits: true })),
    );
    return timeAll({ ...setting, most }, [
      { name: 'scoring everything', requests: inTurn(counts) },
      { name: 'deep page', requests: inTurn(pages) },
      { name: 'deep page of a known query', requests: inTurn(others) },
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

/** Those that a server was not asked yet, for each turn. */
function inTurn(requests: readonly Request[]): (target: Target, count: number) => readonly Request[] {
  const asked = new Map<Target, number>();
  return (target, count) => {
    const from = asked.get(target) ?? 0;
    asked.set(target, from + count);
    return requests.slice(from, from + count);
  };
}

function uncached(request: Request): Request {
  return { ...request, path: `${request.path}?request_cache=false` };
}
