// What is sent in one case, and to which data.

/**
 * A request. In its texts `$index` stands for the index of the data, `$neighbor` for one of other mappings and
 * documents, `$scratch` for one that may be written.
 */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The lines of a body of `_bulk` or `_msearch`, instead of `body`. */
  readonly lines?: readonly unknown[];
}

/** Requests that are sent one after the other. `$scroll`, `$pit` and `$after` come from the reply before. */
export interface Case {
  readonly number: number;
  /** The endpoint, kinds of queries and other features in it. */
  readonly features: readonly string[];
  readonly steps: readonly Step[];
  /** True if it writes to `$scratch`. */
  readonly writes: boolean;
}
