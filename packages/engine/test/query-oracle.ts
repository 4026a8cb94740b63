// The naive evaluator of queries: documents as token lists, queries as trees, scores by the formula. It knows
// no index.

import type { Similarity } from '../src/analysis/similarities.ts';
import { averageLength, idf, normInverses, termScore } from '../src/score/bm25.ts';
import { normOf } from '../src/segment/postings/norms.ts';

/** A document of the random worlds: words of `t` and `u`, keywords `k`, numbers `n`. */
export interface PlainDoc {
  readonly t?: string[];
  readonly u?: string[];
  readonly k?: string[];
  readonly n?: number[];
}

/** A query of the random worlds, as JSON on the wire and to the evaluator alike. */
export type PlainQuery = { readonly [kind: string]: unknown };

type Score = number | undefined;
const f = Math.fround;

/** Score of a document, or undefined where it does not match. */
export class Oracle {
  readonly #docs: readonly PlainDoc[];
  readonly #similarities: Readonly<Record<'t' | 'u', Similarity>>;

  constructor(docs: readonly PlainDoc[], similarities: Readonly<Record<'t' | 'u', Similarity>>) {
    this.#docs = docs;
    this.#similarities = similarities;
  }

  score(query: PlainQuery, doc: PlainDoc): Score {
    const [kind, body] = Object.entries(query)[0] as [string, Record<string, never>];
    const [field, value] = (Object.entries(body)[0] ?? ['', undefined]) as [keyof PlainDoc, never];
    const constant = (yes: boolean): Score => (yes ? 1 : undefined);
    switch (kind) {
      case 'match_all':
        return 1;
      case 'term':
        if (field === 't' || field === 'u') return this.#term(field, value, doc);
        return constant((doc[field] as unknown[] | undefined)?.includes(value) === true);
      case 'terms':
        return constant((doc[field] ?? []).some((v) => (value as unknown[]).includes(v)));
      case 'exists':
        return constant((doc[body['field'] as keyof PlainDoc] ?? []).length > 0);
      case 'prefix':
        return constant(((doc[field] ?? []) as string[]).some((v) => v.startsWith(value)));
      case 'range': {
        const { gte, lt } = value as { gte: number | string; lt: number | string };
        return constant((doc[field] ?? []).some((v) => v >= gte && v < lt));
      }
      case 'match_phrase':
        return this.#phrase(field, (value as string).split(' '), doc);
      case 'constant_score': {
        const { filter, boost } = body as unknown as { filter: PlainQuery; boost: number };
        return this.score(filter, doc) === undefined ? undefined : f(boost);
      }
      case 'dis_max': {
        const { queries, tie_breaker } = body as unknown as { queries: PlainQuery[]; tie_breaker: number };
        const scores = queries.map((q) => this.score(q, doc)).filter((s) => s !== undefined);
        if (scores.length === 0) return undefined;
        const best = Math.max(...scores);
        return f(best + (scores.reduce((a, b) => a + b, 0) - best) * tie_breaker);
      }
      case 'boosting': {
        const { positive, negative, negative_boost } = body as unknown as {
          positive: PlainQuery;
          negative: PlainQuery;
          negative_boost: number;
        };
        const score = this.score(positive, doc);
        if (score === undefined || this.score(negative, doc) === undefined) return score;
        return f(score * f(negative_boost));
      }
      default:
        return this.#bool(body as unknown as Record<string, PlainQuery[] & number>, doc);
    }
  }

  #bool(body: Record<string, PlainQuery[] & number>, doc: PlainDoc): Score {
    const list = (name: string): PlainQuery[] => body[name] ?? [];
    const must = list('must').map((q) => this.score(q, doc));
    const filter = list('filter').map((q) => this.score(q, doc));
    const should = list('should').map((q) => this.score(q, doc));
    const matching = should.filter((s) => s !== undefined).length;
    const required = must.length + filter.length;
    if (required + should.length === 0 && list('must_not').length === 0) return 1;
    if ([...must, ...filter].includes(undefined)) return undefined;
    if (list('must_not').some((q) => this.score(q, doc) !== undefined)) return undefined;
    const given = (body['minimum_should_match'] as number | undefined) ?? 0;
    const least = required + should.length === 0 ? 0 : given;
    if (matching < (required === 0 && should.length > 0 ? Math.max(1, least) : least)) return undefined;
    return [...must, ...should].reduce<number>((sum, s) => sum + (s ?? 0), 0);
  }

  #weight(
    field: 't' | 'u',
    words: readonly string[],
  ): { weight: number; inverse: (doc: PlainDoc) => number } {
    const having = this.#docs.filter((doc) => (doc[field] ?? []).length > 0);
    const total = having.reduce((sum, doc) => sum + doc[field]!.length, 0);
    const similarity = this.#similarities[field];
    if (similarity.kind === 'boolean') return { weight: 1, inverse: () => Number.POSITIVE_INFINITY };
    const inverses = normInverses(averageLength(total, having.length), similarity);
    const idfs = words.map((word) =>
      idf(having.filter((d) => d[field]!.includes(word)).length, having.length),
    );
    return {
      weight: f(idfs.reduce((a, b) => a + b, 0)),
      inverse: (doc) => inverses[normOf(doc[field]!.length)]!,
    };
  }

  #term(field: 't' | 'u', word: string, doc: PlainDoc): Score {
    const freq = (doc[field] ?? []).filter((w) => w === word).length;
    if (freq === 0) return undefined;
    const { weight, inverse } = this.#weight(field, [word]);
    return termScore(weight, freq, inverse(doc));
  }

  #phrase(field: keyof PlainDoc, words: readonly string[], doc: PlainDoc): Score {
    const text = (doc[field] ?? []) as string[];
    let freq = 0;
    for (let i = 0; i + words.length <= text.length; i++) {
      if (words.every((word, k) => text[i + k] === word)) freq++;
    }
    if (freq === 0) return undefined;
    const { weight, inverse } = this.#weight(field as 't', words);
    return termScore(weight, freq, inverse(doc));
  }
}
