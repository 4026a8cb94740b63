// What does a reading thread say to what only the writing one can do?

/** Not an error of a caller: the same is to be asked of the engine that writes. */
export class NeedsWriterThread extends Error {
  override readonly name = 'Elsewhere';

  /** `does` completes: only the writing thread … */
  constructor(does: string) {
    super(`only the writing thread ${does}`);
  }
}
