// The terms of a view that a planned query of one field looks for: what a prefix or a pattern expands to.

import type { Plan } from '../matcher.ts';
import { compareTerms, prefixTerms } from '../node/terms/term-sources.ts';
import type { Planner } from '../plan/planner.ts';
import type { TermSource } from '../query-terms.ts';
import type { Steps } from '../steps.ts';

/** The terms that a plan looks for, sorted; a few more than `most` where there are more. */
export function expandedTerms(planner: Planner, path: string, plan: Plan, most: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  const add = (source: TermSource): void => {
    const key = `terms${JSON.stringify([path, source.key, most])}`;
    found.push(...(planner.lookups.ask(key, () => expand(planner, path, source, most)) ?? []));
  };
  const visit = (each: Plan): void => {
    each.visitTerms?.({
      // A term of another field is the beginning of terms (`index_prefixes`).
      terms: (at, terms) => {
        if (at === path) found.push(...terms);
        else for (const start of terms) add(prefixTerms(start));
      },
      termSet: (_path, source) => add(source),
      phrase: () => {},
      spans: () => {},
    });
    for (const part of each.parts ?? []) visit(part);
  };
  visit(plan);
  return found.sort(compareTerms).filter((b, i) => i === 0 || compareTerms(found[i - 1]!, b) !== 0);
}

/** Looks a set of terms up in all leaves. */
function* expand(planner: Planner, path: string, source: TermSource, most: number): Steps<Uint8Array[]> {
  const found = new Map<string, Uint8Array>();
  for (const { leaf } of planner.view.leaves) {
    const terms = leaf.terms(path);
    if (terms === undefined) continue;
    const ordinals = yield* source.ordinals(terms);
    for (let i = 0; i < ordinals.length && found.size <= most; i++) {
      const bytes = terms.term(ordinals[i]!);
      found.set(Buffer.from(bytes).toString('latin1'), bytes.slice());
    }
    yield;
  }
  return [...found.values()];
}
