// How significant a term is: scores of how much more often it occurs in some documents than in all. The formulas
// are those of the peer: JLH, mutual information, chi square (Manning et al., Information Retrieval, 2008), the
// normalized Google distance (Cilibrasi and Vitanyi, 2007), and a plain percentage.

import { illegalArgument } from '../../../errors.ts';
import { Members } from '../../request/members.ts';

/** How many documents there are, and how many of them have a term. */
interface TermFrequencies {
  /** In the bucket. */
  readonly own: number;
  readonly ownTotal: number;
  /** In the background. */
  readonly all: number;
  readonly allTotal: number;
}

/** Scores a term; terms without a positive score are not shown. */
export type Heuristic = (frequencies: TermFrequencies) => number;

/** Documents by whether they are in the bucket, and have the term. */
interface Contingency {
  readonly neither: number;
  readonly bucketOnly: number;
  readonly termOnly: number;
  readonly both: number;
  readonly withTerm: number;
  readonly withoutTerm: number;
  readonly inBucket: number;
  readonly outside: number;
  readonly total: number;
}

const HINT =
  ', does your background filter not include all documents in the bucket? If so and it is intentional, set ' +
  '"background_is_superset": false';

function checkFrequencies({ own, ownTotal, all, allTotal }: TermFrequencies, score: string): void {
  if (own > ownTotal) throw illegalArgument(`subsetFreq > subsetSize, in ${score}`);
  if (all > allTotal) throw illegalArgument(`supersetFreq > supersetSize, in ${score}`);
}

function contingency(found: TermFrequencies, isSuperset: boolean, score: string): Contingency {
  checkFrequencies(found, score);
  const { own, ownTotal, all, allTotal } = found;
  if (isSuperset) {
    if (own > all) throw illegalArgument(`subsetFreq > supersetFreq${HINT}`);
    if (ownTotal > allTotal) throw illegalArgument(`subsetSize > supersetSize${HINT}`);
    if (all - own > allTotal - ownTotal)
      throw illegalArgument(`supersetFreq - subsetFreq > supersetSize - subsetSize${HINT}`);
  }
  // A background beside the bucket is counted as what is outside of it.
  const termOnly = isSuperset ? all - own : all;
  const outside = isSuperset ? allTotal - ownTotal : allTotal;
  return {
    neither: outside - termOnly,
    bucketOnly: ownTotal - own,
    termOnly,
    both: own,
    withTerm: termOnly + own,
    withoutTerm: outside - termOnly + ownTotal - own,
    inBucket: ownTotal,
    outside,
    total: outside + ownTotal,
  };
}

/** Whether a term is rarer in the bucket than outside. */
function isNegative({ both, inBucket, termOnly, outside }: Contingency): boolean {
  return both / inBucket < termOnly / outside;
}

function jlh({ own, ownTotal, all, allTotal }: TermFrequencies): number {
  checkFrequencies({ own, ownTotal, all, allTotal }, 'JLHScore');
  if (ownTotal === 0 || allTotal === 0) return 0;
  const inBucket = own / ownTotal;
  // A term that the background lacks would be infinitely significant.
  const inAll = (all === 0 ? 1 : all) / allTotal;
  const change = inBucket - inAll;
  return change <= 0 ? 0 : change * (inBucket / inAll);
}

function information(both: number, first: number, second: number, total: number): number {
  const numerator = Math.abs(total * both);
  const factor = Math.abs(both / total);
  if (numerator < 1e-7 && factor < 1e-7) return 0;
  return factor * Math.log(numerator / Math.abs(first * second));
}

function mutualInformation(table: Contingency): number {
  const { neither, bucketOnly, termOnly, both, withTerm, withoutTerm, inBucket, outside, total } = table;
  const sum =
    information(neither, withoutTerm, outside, total) +
    information(bucketOnly, withoutTerm, inBucket, total) +
    information(termOnly, withTerm, outside, total) +
    information(both, withTerm, inBucket, total);
  return sum / Math.log(2);
}

function chiSquare(table: Contingency): number {
  const { neither, bucketOnly, termOnly, both, withTerm, withoutTerm, inBucket, outside, total } = table;
  const difference = both * neither - bucketOnly * termOnly;
  return (total * difference ** 2) / (inBucket * withTerm * withoutTerm * outside);
}

function googleDistance({ withTerm, inBucket, both, total }: Contingency): number {
  if (both === 0) return 0;
  if (withTerm === inBucket && withTerm === both) return 1;
  const [term, bucket] = [Math.log(withTerm), Math.log(inBucket)];
  const distance = (Math.max(term, bucket) - Math.log(both)) / (Math.log(total) - Math.min(term, bucket));
  // Near terms are the significant ones.
  return Math.exp(-distance);
}

function percentage(found: TermFrequencies): number {
  checkFrequencies(found, 'PercentageScore');
  return found.all === 0 ? 0 : found.own / found.all;
}

/** A heuristic over contingencies, with the members that it reads. */
function overContingency(
  name: string,
  score: (table: Contingency) => number,
  hasNegatives: boolean,
): (own: Members) => Heuristic {
  return (own) => {
    const isSuperset = own.flag('background_is_superset') ?? true;
    const includesNegatives = hasNegatives ? (own.flag('include_negatives') ?? false) : true;
    return (found) => {
      const table = contingency(found, isSuperset, name);
      return !includesNegatives && isNegative(table) ? Number.NEGATIVE_INFINITY : score(table);
    };
  };
}

const HEURISTICS: Readonly<Record<string, (own: Members) => Heuristic>> = {
  jlh: () => jlh,
  mutual_information: overContingency('MutualInformation', mutualInformation, true),
  chi_square: overContingency('ChiSquare', chiSquare, true),
  gnd: overContingency('GND', googleDistance, false),
  percentage: () => percentage,
};

/** Reads the heuristic of an aggregation: the last that it names, JLH by default. */
export function readHeuristic(members: Members): Heuristic {
  let heuristic: Heuristic = jlh;
  for (const [name, read] of Object.entries(HEURISTICS)) {
    const body = members.object(name);
    if (body === undefined) continue;
    const own = new Members(name, body);
    heuristic = read(own);
    own.end();
  }
  if (members.any('script_heuristic') !== undefined)
    throw illegalArgument('[script_heuristic] is not supported: it needs scripts');
  return heuristic;
}
