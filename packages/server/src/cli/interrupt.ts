// What happens on Ctrl-C? The first signal asks the command to finish what it holds; a second one ends the process
// at once. Two signals within a blink count as one: a terminal and a wrapper may both deliver the same key press.

const BLINK_MS = 300;

/** A signal that aborts on the first SIGINT, SIGTERM or SIGHUP; `stop` takes the listeners away again. */
export function untilInterrupted(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let first = 0;
  const onSignal = (): void => {
    const now = performance.now();
    if (!controller.signal.aborted) {
      first = now;
      controller.abort();
    } else if (now - first > BLINK_MS) {
      process.stderr.write('octavo: ended without finishing\n');
      process.exit(130);
    }
  };
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
