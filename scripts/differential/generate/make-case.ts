// The case of a number: which data it runs on, and its requests.

import type { Case, Step } from '../case.ts';
import { type Dataset, makeDataset } from '../dataset.ts';
import { Random, seedOf } from '../random.ts';
import { endpointSteps } from './endpoints.ts';
import { Generator } from './generator.ts';
import { withMistake } from './mistakes.ts';
import { aggregationSteps, searchSteps, walkSteps } from './searches.ts';
import { writeSteps } from './writes.ts';

/** Cases that run on the same data. */
export const CASES_PER_DATASET = 500;

/** Numbers of datasets beside others begin here. */
const NEIGHBOR = -1_000_000;

/** The data of a case. Every tenth has some hundred documents. */
export function datasetOf(seed: number, index: number): Dataset {
  const neighbor = makeDataset(seedOf(seed, NEIGHBOR - index));
  return { ...makeDataset(seedOf(seed, -1 - index), index % 10 === 9), neighbor };
}

/** The case `number` of a run with this seed, on the data of its index. */
export function makeCase(seed: number, number: number, dataset: Dataset): Case {
  const random = new Random(seedOf(seed, number));
  const g = new Generator(random, dataset);
  let writes = false;
  const steps = random.weighted<Step[]>([
    [50, () => g.uses('_search', searchSteps(g))],
    [28, () => g.uses('_search', aggregationSteps(g))],
    [12, () => endpointSteps(g)],
    [5, () => walkSteps(g)],
    [
      5,
      () => {
        writes = true;
        return writeSteps(g, `c${number}`);
      },
    ],
  ]);
  const wrong = random.chance(0.06);
  if (wrong) g.features.add('mistake');
  const asked = wrong ? withMistakes(steps, random) : steps;
  const isWide = random.chance(0.1) && asked.every((step) => isComparedOverTwo(step, dataset));
  if (isWide) g.features.add('two indices');
  return { number, features: [...g.features], steps: isWide ? asked.map(widened) : asked, writes };
}

/** Requests that may search two indices. */
const WIDE = /^\/\$index\/(_search|_count)(\?|$)/;

/**
 * Whether a request may search two indices. Over two shards the peer counts the first terms of each, merges keys of
 * unlike types as they are, and divides statistics of fields that one index lacks by the documents of both. It counts
 * nested objects among the documents to which significant terms are compared.
 */
function isComparedOverTwo(step: Step, { neighbor }: Dataset): boolean {
  const text = JSON.stringify(step);
  const hasObjects = neighbor !== undefined && 'kids' in (neighbor.mappings['properties'] as object);
  return (
    WIDE.test(step.path) &&
    !/"_count":"asc"|"matrix_stats"|"multi_terms"/.test(text) &&
    !(hasObjects && /"significant_terms"|"cross_fields"/.test(text))
  );
}

/** The request to the index of the data and its neighbor. */
function widened(step: Step): Step {
  return { ...step, path: step.path.replace('$index', '$index,$neighbor') };
}

function withMistakes(steps: readonly Step[], random: Random): Step[] {
  const at = random.int(0, steps.length - 1);
  return steps.map((step, n) => {
    if (n !== at) return step;
    // Without its index or its point in time a search would read the indices of all cases.
    if (step.path === '/_search' || step.path.startsWith('/_reindex')) return step;
    if (step.body !== undefined) return { ...step, body: withMistake(step.body, random) };
    if (step.lines === undefined) return step;
    // Nor without the index in the line above it.
    const isSearches = step.path === '/_msearch';
    const line = isSearches
      ? random.int(0, step.lines.length / 2 - 1) * 2 + 1
      : random.int(0, step.lines.length - 1);
    return { ...step, lines: step.lines.map((each, k) => (k === line ? withMistake(each, random) : each)) };
  });
}
