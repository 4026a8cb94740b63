// How does a test end early? It fails, it does not apply, or the server is gone.

/** What was expected and what came. */
export class Failed extends Error {
  override readonly name = 'Failed';
}

/** The test needs what this runner or this version does not have. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** No answer at all. */
export class Gone extends Error {
  override readonly name = 'Gone';
}
