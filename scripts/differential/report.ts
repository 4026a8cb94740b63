// Counts cases by class and by feature, and prints tables and shrunk differences.

import type { Case, Step } from './case.ts';
import { CLASSES, type Difference, type DifferenceClass } from './compare.ts';
import type { Json } from './reply.ts';
import type { Sample } from './shrink.ts';
import { TOLERANCES } from './tolerances.ts';

/** A case whose replies differ. */
export interface Found {
  readonly case: Case;
  readonly class: DifferenceClass;
  readonly signature: string;
  readonly differences: readonly Difference[];
}

type Counts = Record<DifferenceClass, number>;

function noCounts(): Counts {
  return { wrong: 0, status: 0, shape: 0, text: 0, refused: 0, same: 0 };
}

export class Tally {
  readonly all: Counts = noCounts();
  readonly #features = new Map<string, Counts>();
  /** Requests that were sent; a case may have several. */
  requests = 0;

  add(one: Case, found: DifferenceClass): void {
    this.requests += one.steps.length;
    this.all[found]++;
    for (const feature of one.features) {
      const counts = this.#features.get(feature) ?? noCounts();
      counts[found]++;
      this.#features.set(feature, counts);
    }
  }

  /** The table by class, then the table by feature, the worst first. */
  lines(): string[] {
    const total = Object.values(this.all).reduce((sum, count) => sum + count, 0);
    const head = `${'feature'.padEnd(36)}${CLASSES.map((name) => name.padStart(9)).join('')}`;
    const rows = [...this.#features].sort(
      ([, a], [, b]) => b.wrong - a.wrong || b.status + b.shape - a.status - a.shape,
    );
    return [
      `${this.requests} requests in ${total} cases`,
      ...CLASSES.map(
        (name) =>
          `  ${name.padEnd(8)} ${String(this.all[name]).padStart(7)}  ${((this.all[name] / Math.max(1, total)) * 100).toFixed(2)} %`,
      ),
      head,
      ...rows.map(
        ([name, counts]) =>
          `${name.padEnd(36)}${CLASSES.map((each) => String(counts[each]).padStart(9)).join('')}`,
      ),
    ];
  }
}

/** How often each cause was found, the worst class first. */
export function causeLines(found: readonly Found[], most = 60): string[] {
  const causes = new Map<string, Found[]>();
  for (const one of found) causes.set(one.signature, [...(causes.get(one.signature) ?? []), one]);
  return [...causes]
    .sort(
      ([, a], [, b]) => CLASSES.indexOf(a[0]!.class) - CLASSES.indexOf(b[0]!.class) || b.length - a.length,
    )
    .slice(0, most)
    .map(
      ([signature, cases]) =>
        `${String(cases.length).padStart(6)}  ${signature}  (--only ${cases
          .slice(0, 8)
          .map((each) => each.case.number)
          .join(',')})`,
    );
}

/** A difference as text: how to repeat it, the data, the requests, and what differs. */
export function differenceText(found: Found, sample: Sample, seed: number): string {
  const { dataset, steps } = sample;
  return [
    `## ${found.signature}`,
    `npm run differential -- --seed ${seed} --only ${found.case.number}`,
    '',
    `mappings: ${JSON.stringify(dataset.mappings)}`,
    ...dataset.documents.slice(0, 12).map(({ id, source }) => `document ${id}: ${JSON.stringify(source)}`),
    ...(dataset.documents.length > 12 ? [`… ${dataset.documents.length} documents`] : []),
    ...(dataset.deleted.length > 0 ? [`deleted: ${dataset.deleted.join(', ')}`] : []),
    ...steps.map(stepText),
    '',
    ...found.differences
      .slice(0, 6)
      .flatMap(({ class: name, path, peer, ours, step }) => [
        `${name} at [${path}] of request ${step + 1}`,
        `  peer: ${valueText(peer)}`,
        `  ours: ${valueText(ours)}`,
      ]),
    '',
    '',
  ].join('\n');
}

function stepText({ method, path, body, lines }: Step): string {
  if (lines !== undefined)
    return `${method} ${path}\n${lines.map((line) => JSON.stringify(line)).join('\n')}`;
  return `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
}

function valueText(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 600);
}

export function toleranceLines(): string[] {
  return ['Not counted as differences:', ...TOLERANCES.map(({ what, why }) => `  ${what} (${why})`)];
}
