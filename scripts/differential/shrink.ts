// Makes a case and its data smaller while they keep a property: the difference that was found.

import type { Case, Step } from './case.ts';
import type { DataDocument, Dataset } from './dataset.ts';

/** A case and the data that it runs on. */
export interface Sample {
  readonly steps: readonly Step[];
  readonly dataset: Dataset;
}

interface ShrinkOptions {
  /** True if the sample still shows the difference. */
  readonly holds: (sample: Sample) => Promise<boolean>;
  /** The most samples that are tried. */
  readonly tries: number;
  /** True once it takes too long: the best sample so far is returned. */
  readonly isLate?: () => boolean;
}

/** The smallest sample that was found. First the requests shrink, then the documents, then both again. */
export async function shrink(
  sample: Sample,
  { holds, tries, isLate = () => false }: ShrinkOptions,
): Promise<Sample> {
  let left = tries;
  const attempt = async (candidate: Sample): Promise<boolean> =>
    left-- > 0 && !isLate() && (await holds(candidate));
  let best = sample;
  for (let before = ''; left > 0 && !isLate() && before !== JSON.stringify(best); ) {
    before = JSON.stringify(best);
    best = await descend(best, stepCandidates, attempt);
    best = await shrinkDocuments(best, attempt);
    best = await descend(best, sourceCandidates, attempt);
    best = await descend(best, mappingCandidates, attempt);
  }
  return best;
}

/** Takes the first smaller candidate that holds, until none does. */
async function descend(
  sample: Sample,
  candidates: (sample: Sample) => Iterable<Sample>,
  attempt: (sample: Sample) => Promise<boolean>,
): Promise<Sample> {
  let best = sample;
  for (let found = true; found; ) {
    found = false;
    for (const candidate of candidates(best)) {
      if (!(await attempt(candidate))) continue;
      best = candidate;
      found = true;
      break;
    }
  }
  return best;
}

function* stepCandidates({ steps, dataset }: Sample): Iterable<Sample> {
  if (steps.length > 1)
    for (const n of steps.keys()) yield { steps: steps.filter((_, k) => k !== n), dataset };
  for (const [n, step] of steps.entries()) {
    const replace = (smaller: Step): Sample => ({
      steps: steps.map((each, k) => (k === n ? smaller : each)),
      dataset,
    });
    for (const path of smallerPaths(step.path)) yield replace({ ...step, path });
    for (const body of smallerValues(step.body)) if (body !== undefined) yield replace({ ...step, body });
    for (const lines of smallerValues(step.lines))
      yield replace({ ...step, lines: lines as readonly unknown[] });
  }
}

/** The path without one of its parameters. */
function* smallerPaths(path: string): Iterable<string> {
  const [address = '', query] = path.split('?');
  if (query === undefined) return;
  const all = query.split('&');
  for (const n of all.keys()) {
    const rest = all.filter((_, k) => k !== n).join('&');
    yield rest === '' ? address : `${address}?${rest}`;
  }
}

/** Values that are smaller than this one, the much smaller ones first. */
function* smallerValues(value: unknown): Iterable<unknown> {
  if (typeof value === 'string') {
    const words = value.split(' ');
    if (words.length > 1) for (const n of words.keys()) yield words.filter((_, k) => k !== n).join(' ');
  } else if (Array.isArray(value)) {
    if (value.length > 3) {
      yield value.slice(0, value.length >> 1);
      yield value.slice(value.length >> 1);
    }
    if (value.length === 1) yield value[0];
    for (const n of value.keys()) yield value.filter((_, k) => k !== n);
    for (const [n, each] of value.entries())
      for (const smaller of smallerValues(each)) yield value.map((one, k) => (k === n ? smaller : one));
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    // A query within a query, or an aggregation below another.
    for (const inner of innerObjects(value, 3)) yield inner;
    for (const [name] of members) yield Object.fromEntries(members.filter(([other]) => other !== name));
    for (const [name, each] of members)
      for (const smaller of smallerValues(each)) yield { ...value, [name]: smaller };
  }
}

function* innerObjects(value: object, depth: number): Iterable<unknown> {
  if (depth === 0) return;
  for (const child of Object.values(value) as unknown[]) {
    if (typeof child !== 'object' || child === null) continue;
    if (!Array.isArray(child)) yield child;
    yield* innerObjects(child, depth - 1);
  }
}

/** Leaves out ever smaller pieces of the documents (A. Zeller 1999, delta debugging). */
async function shrinkDocuments(
  sample: Sample,
  attempt: (sample: Sample) => Promise<boolean>,
): Promise<Sample> {
  let best = sample;
  const { dataset } = sample;
  if (dataset.deleted.length > 0) {
    const candidate = { steps: best.steps, dataset: { ...dataset, deleted: [] } };
    if (await attempt(candidate)) best = candidate;
  }
  for (let piece = dataset.documents.length >> 1; piece >= 1; piece >>= 1) {
    for (let start = 0; start < best.dataset.documents.length; ) {
      const documents = best.dataset.documents.filter((_, n) => n < start || n >= start + piece);
      const candidate = { steps: best.steps, dataset: { ...best.dataset, documents } };
      if (await attempt(candidate)) best = candidate;
      else start += piece;
    }
  }
  return best;
}

function* sourceCandidates({ steps, dataset }: Sample): Iterable<Sample> {
  const { documents } = dataset;
  // With many documents each try is dear, and says little.
  if (documents.length > 8) return;
  for (const [n, { id, source }] of documents.entries()) {
    const replace = (smaller: DataDocument): Sample => ({
      steps,
      dataset: { ...dataset, documents: documents.map((each, k) => (k === n ? smaller : each)) },
    });
    for (const smaller of smallerSources(source)) yield replace({ id, source: smaller });
  }
}

function* smallerSources(source: Readonly<Record<string, unknown>>): Iterable<Record<string, unknown>> {
  const members = Object.entries(source);
  if (members.length > 3) yield Object.fromEntries(members.slice(0, members.length >> 1));
  if (members.length > 3) yield Object.fromEntries(members.slice(members.length >> 1));
  for (const [name] of members) yield Object.fromEntries(members.filter(([other]) => other !== name));
  for (const [name, value] of members) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) continue;
    for (const smaller of smallerValues(value)) yield { ...source, [name]: smaller };
  }
}

function* mappingCandidates({ steps, dataset }: Sample): Iterable<Sample> {
  const properties = dataset.mappings['properties'] as Record<string, Record<string, unknown>>;
  const withProperties = (smaller: Record<string, unknown>): Sample => ({
    steps,
    dataset: { ...dataset, mappings: { ...dataset.mappings, properties: smaller } },
  });
  const names = Object.keys(properties);
  const part = (from: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(from.map((name) => [name, properties[name]]));
  if (names.length > 3) {
    yield withProperties(part(names.slice(0, names.length >> 1)));
    yield withProperties(part(names.slice(names.length >> 1)));
  }
  for (const name of names) yield withProperties(part(names.filter((other) => other !== name)));
  for (const name of names)
    for (const parameter of Object.keys(properties[name]!)) {
      if (parameter === 'type' || parameter === 'properties') continue;
      const { [parameter]: _, ...rest } = properties[name]!;
      yield withProperties({ ...properties, [name]: rest });
    }
}

/** The sample of a case. */
export function sampleOf({ steps }: Case, dataset: Dataset): Sample {
  return { steps, dataset };
}
