// Random sorts.

import type { Body, Generator } from './generator.ts';

/** A sort. With `total` it ends in a unique field, so that no documents tie. */
export function makeSort(g: Generator, total: boolean): unknown[] {
  const { random } = g;
  const sort = random.list(0, 2, () => entry(g));
  return total || sort.length === 0 ? [...sort, { seq: random.pick(['asc', 'desc']) }] : sort;
}

function entry(g: Generator): unknown {
  const { random } = g;
  const direction = random.pick(['asc', 'desc']);
  if (random.chance(0.1)) return g.uses('sort _score', random.chance(0.5) ? '_score' : { _score: direction });
  const field = random.chance(0.95) ? g.column() : g.field();
  if (field.kind === 'geo_point') {
    return g.uses('sort _geo_distance', {
      _geo_distance: {
        [field.path]: random.pick<unknown>([[3, 4], { lat: 1, lon: 2 }, '10,20']),
        order: direction,
        ...random.members(0.3, {
          unit: () => random.pick(['km', 'mi']),
          mode: () => random.pick(['min', 'max', 'avg']),
          distance_type: () => random.pick(['arc', 'plane']),
        }),
      },
    });
  }
  // By a scaled_float the peer loses hits: a page with a small `size` differs from the start of one with a larger size.
  if (field.isScaled) return { seq: direction };
  g.features.add('sort field');
  if (random.chance(0.3)) return random.pick<unknown>([field.path, { [field.path]: direction }]);
  const options: Body = {
    order: direction,
    ...random.members(0.25, {
      missing: () => random.pick<unknown>(['_last', '_first', ...(field.kind === 'integer' ? [3] : [])]),
      mode: () =>
        random.pick([
          'min',
          'max',
          ...(['keyword', 'ip'].includes(field.kind) ? [] : ['avg', 'sum', 'median']),
        ]),
    }),
    ...random.members(0.06, { unmapped_type: () => random.pick(['long', 'keyword', 'date']) }),
    ...(field.kind === 'integer'
      ? random.members(0.05, { numeric_type: () => random.pick(['double', 'long']) })
      : {}),
  };
  return { [field.path]: options };
}
