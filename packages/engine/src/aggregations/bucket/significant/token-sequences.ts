// Finds text that was seen before: runs of six tokens that an earlier text has too, as copies of a notice or a
// signature do.

/** Tokens of a run: shorter ones are idioms, not copies. */
const RUN = 6;

/** The runs of the texts so far. */
export class TokenSequences {
  readonly #runs = new Set<string>();
  readonly #claimBytes: (bytes: number) => void;

  constructor(claimBytes: (bytes: number) => void) {
    this.#claimBytes = claimBytes;
  }

  /** The tokens of a text that belong to no run of an earlier text, or an earlier part of this one. */
  unseen(tokens: readonly string[]): string[] {
    const isSeen = new Uint8Array(tokens.length);
    let bytes = 0;
    for (let end = RUN; end <= tokens.length; end++) {
      const run = tokens.slice(end - RUN, end).join('\0');
      if (this.#runs.has(run)) isSeen.fill(1, end - RUN, end);
      else {
        this.#runs.add(run);
        bytes += 2 * run.length;
      }
    }
    this.#claimBytes(bytes);
    return tokens.filter((_, i) => isSeen[i] === 0);
  }
}
