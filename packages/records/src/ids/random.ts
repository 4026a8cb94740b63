// Where does chance come from? The system's generator, read 4 KB at a time: one call an id would cost more than the id.

import { randomFillSync } from 'node:crypto';
import type { RandomBits } from './uuid.ts';

/** A source of 32 unsigned bits a call. */
export function randomBits(): RandomBits {
  const pool = new Uint32Array(1024);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    return pool[at++]!;
  };
}
