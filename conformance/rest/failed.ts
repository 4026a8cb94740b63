// The ways a test ends early: it fails, it does not apply, or the server does not answer.

/** A failed check, with the expected and the actual value. */
export class Failed extends Error {
  override readonly name = 'Failed';
}

/** The test needs a feature or version that is not available. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** The server did not answer. */
export class ServerGone extends Error {
  override readonly name = 'Gone';
}
