// How does a caller hear what a promise comes to? For the ways of a store on which nothing is hot.

import type { Caller } from '../../contracts/operation.ts';

/** Tells the caller when the promise settles. */
export function tellWhenSettled<Result>(promise: Promise<Result>, caller: Caller<Result>): void {
  promise.then(
    (result) => caller.done(result),
    (error) => caller.failed(error),
  );
}
