// Listeners for commits, called in the turn of the event loop in which a commit becomes visible.

/** The listeners of an engine. */
export class CommitListeners {
  readonly #listeners = new Set<(commit: number) => void>();

  /** Adds one; the returned function removes it. */
  add(listener: (commit: number) => void): () => void {
    // The same function may be added twice, and is called twice.
    const own = (commit: number): void => listener(commit);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /**
   * Calls all listeners. One that throws does not keep others from being called, nor writes from being
   * answered.
   */
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
