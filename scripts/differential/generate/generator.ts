// What all generators of requests share: random choices, the data, and the features that were used.

import { type DataField, type Dataset, type FieldKind, textOf, wordOf } from '../dataset.ts';
import type { Random } from '../random.ts';

export type Body = Record<string, unknown>;

export class Generator {
  readonly random: Random;
  readonly dataset: Dataset;
  readonly features: Set<string> = new Set();

  constructor(random: Random, dataset: Dataset) {
    this.random = random;
    this.dataset = dataset;
  }

  /** Notes a feature, and returns the value that uses it. */
  uses<T>(feature: string, value: T): T {
    this.features.add(feature);
    return value;
  }

  /** A field of one of these kinds, or of any; seldom one that does not exist. */
  field(...kinds: FieldKind[]): DataField {
    const fitting = this.dataset.fields.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
    if (fitting.length === 0 || this.random.chance(0.01))
      return {
        path: 'nowhere',
        kind: kinds[0] ?? 'keyword',
        values: ['x'],
        hasColumn: true,
        isMultiple: false,
      };
    return this.random.pick(fitting);
  }

  /** A field with doc values, or seldom one without. */
  column(...kinds: FieldKind[]): DataField {
    if (this.random.chance(0.02)) return this.field();
    const fitting = this.dataset.fields.filter(
      ({ kind, hasColumn }) => hasColumn && (kinds.length === 0 || kinds.includes(kind)),
    );
    return fitting.length === 0 ? this.dataset.fields[0]! : this.random.pick(fitting);
  }

  /** A column of which each document has one value at most. */
  singleColumn(...kinds: FieldKind[]): DataField {
    const fitting = this.dataset.fields.filter(
      ({ kind, hasColumn, isMultiple }) => hasColumn && !isMultiple && kinds.includes(kind),
    );
    return fitting.length === 0 ? this.dataset.fields[0]! : this.random.pick(fitting);
  }

  numeric(): DataField {
    return this.column('integer', 'long', 'decimal');
  }

  /** A value for a query on this field: usually one of a document, else a similar one. */
  value(field: DataField): unknown {
    const { random } = this;
    if (field.values.length > 0 && random.chance(0.75)) {
      const value = random.pick(field.values);
      return field.kind === 'text' && typeof value === 'string' ? this.partOf(value) : value;
    }
    switch (field.kind) {
      case 'text':
        return textOf(random, 1, 3);
      case 'keyword':
        return random.pick(['red', 'RED', 'nothing', 'a', '']);
      case 'integer':
      case 'long':
        return random.pick<unknown>([0, 3, 7, -2, 500, '5', 2.5, 1e9]);
      case 'decimal':
        return random.pick<unknown>([0, 0.25, 3, -2.5, '12.5', 1e6]);
      case 'date':
        return random.pick<unknown>(['2020-01-01', '2021', '2022-06-15T12:00:00Z', 1_600_000_000_000]);
      case 'boolean':
        return random.pick<unknown>([true, false, 'true']);
      case 'ip':
        return random.pick(['10.0.0.0/24', '10.0.0.1', '::1', '2001:db8::/32', '10.0.0.0']);
      case 'geo_point':
        return random.pick<unknown>(['12.5,13', { lat: 3, lon: 4 }]);
    }
  }

  text(): string {
    const { random } = this;
    const from = random.pick(this.dataset.documents).source[random.pick(['title', 'body'])];
    if (typeof from === 'string' && random.chance(0.6)) return this.partOf(from);
    return textOf(random, 1, 4);
  }

  word(): string {
    return wordOf(this.random);
  }

  /** Some neighbouring words of a text. */
  partOf(text: string): string {
    const words = text.split(' ');
    const start = this.random.int(0, words.length - 1);
    return words.slice(start, start + this.random.int(1, 4)).join(' ');
  }

  id(): string {
    return this.random.chance(0.9) ? this.random.pick(this.dataset.documents).id : 'absent';
  }

  /** Fields of a query over several, some with a boost or a wildcard. */
  fieldNames(): string[] {
    const { random } = this;
    return random.list(1, 3, () =>
      random.weighted([
        [6, () => this.field('text').path],
        [2, () => `${this.field('text').path}^${random.pick([2, 0.5, 3])}`],
        [1, () => random.pick(['ti*', '*', 'obj.*', '*.raw', 'b*^2'])],
        [1, () => this.field('text', 'keyword').path],
        [0.5, () => this.field().path],
      ]),
    );
  }
}
