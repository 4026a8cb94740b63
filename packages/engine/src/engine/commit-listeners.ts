// Who wants to know that something was committed? Listeners, told in the turn in which it became visible.

/** The listeners of an engine. */
export class CommitListeners {
  readonly #listeners = new Set<(commit: number) => void>();

  /** Adds one; the returned function removes it. */
  add(listener: (commit: number) => void): () => void {
    // The same function may be added twice, and is told twice.
    const own = (commit: number): void => listener(commit);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** One that throws keeps nobody else from hearing, and no write from being answered. */
  notify(commit: number): void {
    for (const listener of this.#listeners) {
      try {
        listener(commit);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
