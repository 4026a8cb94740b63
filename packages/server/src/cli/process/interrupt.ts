// Ends a command in order. The first signal asks it to finish; a second one ends the process immediately. Two
// signals within a blink count as one: a terminal and a wrapper may both deliver one key press. A command
// whose npm has died is asked to finish as well, which does not count as a signal.

import { watchNpmParent } from './npm-parent.ts';

const BLINK_MS = 300;

export interface Interruption {
  /** Aborts on the first SIGINT, SIGTERM or SIGHUP, and when the npm that runs this process has died. */
  readonly signal: AbortSignal;
  /**
   * With true, no signal ends the process from now on, since its work cannot be undone. Signals still abort
   * `signal`.
   */
  shield(isOn: boolean): void;
  /** Removes the listeners, unless shielded: then they stay until the process ends. */
  stop(): void;
}

/** Starts to listen. */
export function listenForInterrupts(whenNpmIsGone: typeof watchNpmParent = watchNpmParent): Interruption {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let first: number | undefined;
  let isShielded = false;
  const onSignal = (): void => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      controller.abort();
    } else if (!isShielded && now - first > BLINK_MS) {
      process.stderr.write('octavo: exited without finishing\n');
      process.exit(130);
    }
  };
  for (const name of names) process.on(name, onSignal);
  const unwatch = whenNpmIsGone(() => controller.abort());
  return {
    signal: controller.signal,
    shield: (isOn) => {
      isShielded = isOn;
    },
    stop: () => {
      unwatch();
      if (isShielded) return;
      for (const name of names) process.off(name, onSignal);
    },
  };
}

/** Resolves when the signal aborts. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
