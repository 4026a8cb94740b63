// The cache of scored lists counts the memory that lists take, short lists too.

import { test } from 'node:test';
import { keyOf, sameBytes } from '../../../test/true-bytes.ts';
import { createMemory } from '../../memory/arenas.ts';
import { SearchCaches } from './search-caches.ts';

for (const matches of [3, 100, 2_000])
  test(`lists of ${matches} matches take what they say`, async () => {
    const memory = createMemory();
    const { scored } = new SearchCaches({ rankedBytes: 2 ** 40 }, memory);
    await sameBytes(
      memory,
      () => scored.usedBytes,
      40_000_000 / (1_000 + 12 * matches),
      (i) => {
        const list = { positions: new Float64Array(matches), scores: new Float32Array(matches) };
        scored.set(keyOf(i), list);
      },
    );
  });
