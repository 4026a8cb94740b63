// The error with which a replica refuses what only the writing thread can do.

/** Not a mistake of the caller: the same request has to go to the writing engine. */
export class NeedsWriterThread extends Error {
  override readonly name = 'NeedsWriterThread';

  /** `does` completes the sentence "only the writing thread …". */
  constructor(does: string) {
    super(`only the writing thread ${does}`);
  }
}
