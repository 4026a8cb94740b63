// The four errors of tokens, each with the status that an HTTP server answers.

/** Every error of this package. */
export const CURSOR_ERRORS = {
  'cursor-invalid': {
    status: 400,
    meaning:
      'The token cannot be read: it is damaged, or another server made it. Send it exactly as a reply returned it.',
  },
  'cursor-expired': {
    status: 410,
    meaning: 'The token or its snapshot has expired. Start again from the first page.',
  },
  'cursor-mismatch': {
    status: 400,
    meaning: 'The token was made for another list: the index, the query or the sort has changed.',
  },
  'cursor-forbidden': { status: 403, meaning: 'The token was made for another caller.' },
} as const;

export type CursorErrorCode = keyof typeof CURSOR_ERRORS;

/** Thrown for a token that cannot be used. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
  readonly code: CursorErrorCode;
  readonly status: number;
  /** For cursor-mismatch: the parts of the list that have changed. */
  readonly changed: readonly string[];

  constructor(
    code: CursorErrorCode,
    message: string = CURSOR_ERRORS[code].meaning,
    changed: readonly string[] = [],
  ) {
    super(message);
    this.code = code;
    this.status = CURSOR_ERRORS[code].status;
    this.changed = changed;
  }
}
