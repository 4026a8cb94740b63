// Deep pages by score. A page far behind the first match of a new query is compared with scoring everything
// for another new query (a count of matches above a score that all exceed), and with OpenSearch where it
// answers. A second case reads deep pages of repeated queries, which come from the ranked list of the first.

import { randomFrom } from '../../corpus/corpus.ts';
import { toWire } from '../../corpus/queries.ts';
import type { Request } from '../../load/load.ts';
import { costRatio } from '../../measure/figures-compared.ts';
import { searchRequest } from '../../measure/listing.ts';
import {
  type Claim,
  expectEqual,
  type Hit,
  type Question,
  type Setting,
  search,
  type Target,
} from '../../measure/question.ts';
import { expectSameBestHits } from '../../measure/same-best-hits.ts';
import { timeAll, turnsOf } from '../../measure/timing.ts';

const SIZE = 20;
const CLASS = 'OR of 2 common';
/** Ranks of the query words, as in that class. */
const [FROM, TO] = [4, 60];
/** Queries that repeat in every turn. */
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
    // Each other query is used once, in one turn; the warm-up turn repeats its queries.
    const most = Math.min(smoke ? 4 : setting.maxRequests, Math.floor(half / (turns + 1)) * turns);
    const deepPage = (query: object): Request => searchRequest({ query, size: SIZE, from: deep() });
    const pages = queries.slice(0, half).map(deepPage);
    const others = pages.map((_, k) => deepPage(known[k % known.length]!));
    const counts = queries.slice(half).map((query) =>
      // Otherwise the peer caches the reply and does not score at all.
      uncached(searchRequest({ query, size: 0, min_score: 1e-9, track_total_hits: true })),
    );
    return timeAll({ ...setting, maxRequests: most }, [
      { name: 'scoring everything', requests: inTurn(counts) },
      { name: 'deep page', requests: inTurn(pages) },
      { name: 'deep page of a known query', requests: inTurn(others) },
    ]);
  },
  claims: (rows): Claim[] => [
    {
      work: 'deep page in _score order',
      says: 'deep page / scoring everything',
      ...costRatio(rows, 'deep page', 'scoring everything'),
      unit: '×',
      atMost: 1.5,
    },
  ],
};

/** Checks totals against a naive count, and that deep pages have the same hits on every server. */
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
    expectSameBestHits(pages, text, deep);
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

/** The unused requests of each turn. */
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
