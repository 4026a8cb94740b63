// Synonyms by the words that they stand for: a tree with one level for each word of a phrase.

import { illegalArgument } from '../../../errors.ts';
import type { Token } from '../../analyzer.ts';

/** What stands for a phrase. */
export interface Synonyms {
  readonly phrases: string[][];
  /** Whether the phrase itself stays. */
  keepsOriginal: boolean;
}

interface Node {
  readonly next: Map<string, Node>;
  synonyms: Synonyms | undefined;
}

/** Synonyms of a filter: each group of n that stand for each other takes n × (n - 1). */
const MAX_SYNONYMS = 1_000_000;

export class SynonymMap {
  readonly #root: Node = { next: new Map(), synonyms: undefined };
  /** Pairs that are there already. */
  readonly #known = new Set<string>();

  get isEmpty(): boolean {
    return this.#root.next.size === 0;
  }

  add(from: readonly string[], to: string[], keepsOriginal: boolean): void {
    let node = this.#root;
    for (const word of from) {
      let next = node.next.get(word);
      if (next === undefined) node.next.set(word, (next = { next: new Map(), synonyms: undefined }));
      node = next;
    }
    const synonyms = (node.synonyms ??= { phrases: [], keepsOriginal: false });
    synonyms.keepsOriginal ||= keepsOriginal;
    const key = `${from.join('\0')}\n${to.join('\0')}`;
    if (this.#known.has(key)) return;
    if (this.#known.size === MAX_SYNONYMS)
      throw illegalArgument(`A synonym filter may have at most ${MAX_SYNONYMS} synonyms: use a shorter list`);
    this.#known.add(key);
    synonyms.phrases.push(to);
  }

  /** The longest phrase that begins at a token; undefined if there is none. */
  longest(tokens: readonly Token[], from: number): { synonyms: Synonyms; length: number } | undefined {
    let node: Node | undefined = this.#root;
    let found: { synonyms: Synonyms; length: number } | undefined;
    for (let i = from; i < tokens.length; i++) {
      node = node.next.get(tokens[i]!.term);
      if (node === undefined) break;
      if (node.synonyms !== undefined) found = { synonyms: node.synonyms, length: i + 1 - from };
    }
    return found;
  }
}
