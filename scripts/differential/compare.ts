// Compares the reply of the peer with ours, and says of which class the difference is.

import type { Step } from './case.ts';
import { isTree, type Json, NumberText, typeOf } from './reply.ts';
import { NO_REPLY, type Reply } from './server.ts';
import {
  areDroppedOptions,
  areLostHits,
  areMadeIds,
  isCompared,
  isEmptyMeta,
  isEstimate,
  isFault,
  isOfDisjuncts,
  isOfEqualTerms,
  isOfOtherBucket,
  isOfUnknownQuery,
  isReducedTwice,
  isSameEstimate,
  isSameNumber,
  isScoreOfNone,
  isSet,
  isSignificant,
  isStricter,
  isTotalOrder,
  lacksFailedIndex,
  sortedParts,
  withoutOrderOfScores,
  withoutOrderOfTies,
  withoutShardDoc,
} from './tolerances.ts';

/**
 * From the worst down. `wrong`: both answer, with different results. `status`: another status or type of error. `shape`: a
 * member more or less, or 1 for 1.0. `text`: another reason. `refused`: we name a feature that we do not have.
 */
export const CLASSES = ['wrong', 'status', 'shape', 'text', 'refused', 'same'] as const;
export type DifferenceClass = (typeof CLASSES)[number];

export interface Difference {
  readonly class: DifferenceClass;
  /** Where in the reply: names and positions, joined by dots. */
  readonly path: string;
  readonly peer: Json | undefined;
  readonly ours: Json | undefined;
  /** Which of the steps. */
  readonly step: number;
}

/** The differences of the first step that has some. */
export function compareReplies(
  steps: readonly Step[],
  peer: readonly Reply[],
  ours: readonly Reply[],
): Difference[] {
  for (const [n, step] of steps.entries()) {
    // The pages of a scroll have the sort of its search.
    const sorting = step.path.startsWith('/_search/scroll') ? steps[0]! : step;
    const differences = new Comparison(step, n, sorting).reply(peer[n]!, ours[n]!);
    if (differences.length > 0) return differences;
  }
  return [];
}

export function worstOf(differences: readonly Difference[]): DifferenceClass {
  return CLASSES.find((each) => differences.some((one) => one.class === each)) ?? 'same';
}

/** Where and how replies differ, without names and numbers: the same for differences of one cause, usually. */
export function signatureOf(differences: readonly Difference[]): string {
  const worst = worstOf(differences);
  const first = differences.find((one) => one.class === worst);
  if (first === undefined) return 'same';
  const path = first.path.replaceAll(/\b\d+\b/g, '#');
  const kind = (json: Json | undefined): string => {
    const error = isTree(json) ? json['error'] : undefined;
    if (isTree(error)) return String(error['type']);
    if (typeof json !== 'string') return json === undefined ? 'none' : typeOf(json);
    return json.replaceAll(/\[[^\]]*\]|"[^"]*"|'[^']*'|\d+/g, '_').slice(0, 80);
  };
  return worst === 'wrong' || worst === 'shape'
    ? `${worst} ${path}`
    : `${worst} ${path} ${kind(first.peer)} | ${kind(first.ours)}`;
}

const REFUSALS = /(is|are) not supported\b/;

class Comparison {
  readonly #step: Step;
  readonly #number: number;
  /** The search that says how hits are sorted. */
  readonly #sorting: Step;
  readonly #found: Difference[] = [];

  constructor(step: Step, number: number, sorting: Step) {
    this.#step = step;
    this.#sorting = sorting;
    this.#number = number;
  }

  reply(peer: Reply, ours: Reply): Difference[] {
    if (peer.status === NO_REPLY || lacksFailedIndex(peer.body)) return this.#found;
    if (this.#errors(peer.body, ours.body, '')) return this.#found;
    if (peer.status !== ours.status) {
      const text = (reply: Reply): Json => ({
        status: new NumberText(String(reply.status)),
        body: reply.body,
      });
      this.#add('status', 'status', text(peer), text(ours));
      return this.#found;
    }
    this.#walk(peer.body, ours.body, '', '');
    return this.#found;
  }

  #add(name: DifferenceClass, path: string, peer: Json | undefined, ours: Json | undefined): void {
    if (this.#found.length < 50) this.#found.push({ class: name, path, peer, ours, step: this.#number });
  }

  /** Compares two objects of which at least one is an error; false if none is. */
  #errors(peer: Json, ours: Json, path: string): boolean {
    const theirs = isTree(peer) ? peer['error'] : undefined;
    const own = isTree(ours) ? ours['error'] : undefined;
    if (!isTree(theirs) && !isTree(own)) return false;
    const refused = REFUSALS.test(JSON.stringify(own ?? null));
    if (isFault(theirs) || isStricter(own)) return true;
    if (!isTree(theirs) || !isTree(own)) {
      this.#add(refused ? 'refused' : 'status', path, peer, ours);
    } else {
      const [a, b] = [peer as { readonly [name: string]: Json }, ours as { readonly [name: string]: Json }];
      const same =
        JSON.stringify([theirs['type'], a['status'] ?? null]) ===
        JSON.stringify([own['type'], b['status'] ?? null]);
      if (!same) this.#add(refused ? 'refused' : 'status', path, peer, ours);
      else if (refused && JSON.stringify(theirs) !== JSON.stringify(own))
        this.#add('refused', path, peer, ours);
      else this.#errorText(theirs, own, `${path}error`);
    }
    return true;
  }

  /** Members of two errors of one type. */
  #errorText(peer: Json | undefined, ours: Json | undefined, path: string): void {
    if (isTree(peer) && isTree(ours)) {
      for (const name of new Set([...Object.keys(peer), ...Object.keys(ours)]))
        if (isCompared(name, this.#step)) this.#errorText(peer[name], ours[name], `${path}.${name}`);
    } else if (Array.isArray(peer) && Array.isArray(ours) && peer.length === ours.length) {
      for (const [n, one] of peer.entries()) this.#errorText(one as Json, ours[n] as Json, `${path}.${n}`);
    } else if (JSON.stringify(peer) !== JSON.stringify(ours)) this.#add('text', path, peer, ours);
  }

  #walk(peer: Json, ours: Json, path: string, name: string): void {
    if (isTree(peer) && isTree(ours)) this.#trees(peer, ours, path);
    else if (Array.isArray(peer) && Array.isArray(ours))
      this.#lists(peer as readonly Json[], ours as readonly Json[], path, name);
    else if (peer instanceof NumberText && ours instanceof NumberText) {
      const isSame =
        isSameNumber(name, peer, ours) || (isEstimate(path, this.#step) && isSameEstimate(peer, ours));
      if (!isSame) this.#add('wrong', path, peer, ours);
      else if (/^-?\d+$/.test(peer.text) !== /^-?\d+$/.test(ours.text)) this.#add('shape', path, peer, ours);
    } else if (isScoreOfNone(path, peer, ours, this.#step)) {
      return;
    } else if (typeOf(peer) !== typeOf(ours)) {
      // A result that is null is another result; a number as text is another shape.
      this.#add(peer === null || ours === null ? 'wrong' : 'shape', path, peer, ours);
    } else if (peer !== ours && !areMadeIds(name, peer, ours) && !isEstimate(path, this.#step)) {
      this.#add(/explanation|description|(^|\.)error$/.test(path) ? 'text' : 'wrong', path, peer, ours);
    }
  }

  #trees(
    peer: { readonly [name: string]: Json },
    ours: { readonly [name: string]: Json },
    path: string,
  ): void {
    if (path !== '' && this.#errors(peer, ours, `${path}.`)) return;
    for (const name of new Set([...Object.keys(peer), ...Object.keys(ours)])) {
      if (!isCompared(name, this.#step)) continue;
      const at = path === '' ? name : `${path}.${name}`;
      const [a, b] = [peer[name], ours[name]];
      if (b === undefined && isEmptyMeta(at, a)) continue;
      if (isOfOtherBucket(at, this.#step) || isReducedTwice(at, this.#step)) continue;
      if (isOfUnknownQuery(at, this.#step)) continue;
      if (a === undefined || b === undefined) this.#add('shape', at, a, b);
      else if (Array.isArray(a) && Array.isArray(b) && isOfDisjuncts(peer, this.#step))
        this.#walk(sortedParts(a), sortedParts(b), at, name);
      else this.#walk(a, b, at, name);
    }
  }

  #lists(peer: readonly Json[], ours: readonly Json[], path: string, name: string): void {
    if (name === 'sort') ours = withoutShardDoc(ours, peer, this.#step);
    if (areDroppedOptions(path, peer.length, ours.length, this.#step)) return;
    if (areLostHits(path, peer, ours)) ours = ours.slice(0, peer.length);
    if (peer.length !== ours.length) {
      const [longer, shorter] = peer.length > ours.length ? [peer, ours] : [ours, peer];
      const ties = (list: readonly Json[]): boolean => isOfEqualTerms(list, this.#step);
      if (ties(longer) && (shorter.length === 0 || ties(shorter))) return;
      this.#add(/explanation/.test(path) ? 'shape' : 'wrong', path, peer, ours);
      return;
    }
    let [a, b] = [peer, ours];
    if (/(^|\.)hits\.hits$/.test(path) && !isTotalOrder(this.#sorting, path))
      [a, b] = [withoutOrderOfTies(a, this.#sorting), withoutOrderOfTies(b, this.#sorting)];
    else if (isSignificant(a) && isSignificant(b))
      [a, b] = [withoutOrderOfScores(a), withoutOrderOfScores(b)];
    else if (isSet(name, a)) [a, b] = [sorted(a), sorted(b)];
    for (const [n, one] of a.entries()) this.#walk(one, b[n]!, `${path}.${n}`, name);
  }
}

function sorted(list: readonly Json[]): Json[] {
  const keyOf = (json: Json): string => (isTree(json) ? String(json['name']) : JSON.stringify(json));
  return [...list].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
