// Ends a command in order. The first signal asks it to finish what it holds; a second one ends the process at once. Two
// signals within a blink count as one: a terminal and a wrapper may both deliver the same key press. A command whose npm is
// gone is asked to finish as well, which is not counted as a signal.

import { watchNpmParent } from './npm-parent.ts';

const BLINK_MS = 300;

/** How a command hears of signals. */
export interface Interruption {
  /** Aborts on the first SIGINT, SIGTERM or SIGHUP, and when the npm that runs this process is gone. */
  readonly signal: AbortSignal;
  /** True: no signal ends the process from now on, for what it does cannot be undone. It still aborts `signal`. */
  shield(isOn: boolean): void;
  /** Takes the listeners away again, unless it is shielded: then they stay until the process is gone. */
  stop(): void;
}

/** Listens from now on. */
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
      process.stderr.write('octavo: ended without finishing\n');
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
