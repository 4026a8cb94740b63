// What is refused of a write, whatever it says? Ids that are too long, and documents that are too deep.

/** What the log and every table of ids are made for, in bytes. */
export const LONGEST_ID = 512;

/** How long ids and how deep documents may be, by now. */
export interface WriteLimits {
  readonly idBytes: number;
  readonly nesting: number;
}
