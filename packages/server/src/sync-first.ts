// Joins steps that mostly finish at once. A step returns a value or a promise of one. If the value is there,
// the next step runs in the same call, so a request that waits for nothing has its answer before the call
// returns. `async` functions would put a turn of the microtask queue between any two steps.

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Runs the next step with a value, at once if it is there. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs a step. What it throws, or its promise rejects with, goes to `failed`. */
export function rescue<T>(
  work: () => MaybePromise<T>,
  failed: (thrown: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  let value: MaybePromise<T>;
  try {
    value = work();
  } catch (thrown) {
    return failed(thrown);
  }
  return value instanceof Promise ? value.catch(failed) : value;
}

/** Runs a step, and `end` after it, whether it fails or not. */
export function finish<T>(work: () => MaybePromise<T>, end: () => void): MaybePromise<T> {
  let value: MaybePromise<T>;
  try {
    value = work();
  } catch (thrown) {
    end();
    throw thrown;
  }
  if (value instanceof Promise) return value.finally(end);
  end();
  return value;
}
