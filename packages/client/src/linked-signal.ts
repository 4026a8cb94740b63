// One AbortSignal from several signals and a time limit, and a sleep that they end. (AbortSignal.any and
// AbortSignal.timeout are missing in some runtimes.)

/** A signal that aborts when one of several does, or after a time limit. Call `release` when it is no longer needed. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** True if the time limit aborted it. */
  timedOut(): boolean;
  /** Stops the clock; the signals still abort it. */
  stopClock(): void;
  release(): void;
}

export function linkSignals(signals: readonly (AbortSignal | undefined)[], timeoutMs: number): LinkedSignal {
  const controller = new AbortController();
  const undo: (() => void)[] = [];
  let timedOut = false;
  for (const signal of signals) {
    if (signal === undefined) continue;
    if (signal.aborted) controller.abort(signal.reason);
    const listener = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', listener);
    undo.push(() => signal.removeEventListener('abort', listener));
  }
  const clock = Number.isFinite(timeoutMs)
    ? setTimeout(() => {
        timedOut = !controller.signal.aborted;
        controller.abort();
      }, timeoutMs)
    : undefined;
  const stopClock = (): void => clearTimeout(clock);
  undo.push(stopClock);
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    stopClock,
    release: () => {
      for (const each of undo) each();
    },
  };
}

/** Resolves after `ms`, or rejects with the reason of the first signal that aborts. */
export function sleep(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const linked = linkSignals(signals, Number.POSITIVE_INFINITY);
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      linked.release();
      settle();
    };
    const timer = setTimeout(() => done(resolve), ms);
    const ended = (): void => done(() => reject(linked.signal.reason));
    if (linked.signal.aborted) ended();
    else linked.signal.addEventListener('abort', ended);
  });
}
