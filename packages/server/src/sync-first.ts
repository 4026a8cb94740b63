// Joins steps that mostly finish at once. A step gives a value or a promise of it; the next step runs in the same call where the
// value is there, so that a request which waits for nothing has its answer before the call returns. `async` functions would put
// a turn of the microtask queue between any two steps.

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does work; what it throws, or what its promise is rejected with, goes to `failed`. */
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

/** Does work, and `end` when it is over, well or not. */
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
