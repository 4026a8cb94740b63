// What does mapping a document go by, beside its bytes and the mapping?

/** What is known of a document beside its source. */
export interface DocContext {
  readonly id: string;
  readonly index?: string;
  readonly routing?: string | undefined;
  /** True where the document was taken before: what does not fit any more is left out, as if it were malformed and ignored. */
  readonly isKept?: boolean;
  /** Objects and arrays inside each other that it may have. @default as many as can be read */
  readonly nesting?: number;
}
