// The order of a chunk's lists by length: conjunctions and phrases lead with the shortest.

import { SCRATCH_ORDER } from './layout';
import { count, END, list, START, scratch } from './lists';

/** The z-th shortest list. */
export function listByLength(z: i32): usize {
  return list(load<i32>(scratch + SCRATCH_ORDER + ((<usize>z) << 2)));
}

function length(c: usize): i32 {
  return load<i32>(c, END) - load<i32>(c, START);
}

/** Orders the lists of a chunk, the shortest first. */
export function orderByLength(): void {
  const order = scratch + SCRATCH_ORDER;
  for (let a = 0; a < count; a++) {
    const own = length(list(a));
    let k = a;
    for (; k > 0; k--) {
      const before = load<i32>(order + ((<usize>(k - 1)) << 2));
      if (length(list(before)) <= own) break;
      store<i32>(order + ((<usize>k) << 2), before);
    }
    store<i32>(order + ((<usize>k) << 2), a);
  }
}
