// Documents of which a script says that they match: tested one by one, and only where nothing else rules them out.

import { hasBit, nextSetBit, setBit } from '../../../kernels/bits.ts';
import type { DocumentScript, RunOnDocument } from '../../../scripts/documents/document-script.ts';
import { SearchMeter } from '../../../scripts/documents/search-meter.ts';
import { CHUNK_DOCS, type Leaf } from '../../../segment/leaf.ts';
import { runToEnd } from '../../../turn.ts';
import type { Matcher } from '../../matcher.ts';
import type { Steps } from '../../steps.ts';
import { ConstantMatcher, docsIn, FilterNode, newBits } from '../node.ts';

class ScriptMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly effort = Number.POSITIVE_INFINITY;
  readonly #leaf: Leaf;
  readonly #test: RunOnDocument<boolean>;
  readonly #meter = new SearchMeter();
  /** The chunk whose documents were tested last: which ones, and which of these match. */
  #chunk = -1;
  readonly #known = newBits();
  readonly #matching = newBits();

  constructor(script: DocumentScript<boolean>, leaf: Leaf, constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#leaf = leaf;
    this.#test = script.forLeaf(leaf, this.#meter);
  }

  *matchAhead(chunk: number, candidates?: Uint32Array): Steps<void> {
    if (chunk !== this.#chunk) {
      this.#chunk = chunk;
      this.#known.fill(0);
      this.#matching.fill(0);
    }
    const end = docsIn(this.#leaf, chunk);
    for (let doc = next(candidates, 0, end); doc >= 0; doc = next(candidates, doc + 1, end)) {
      if (hasBit(this.#known, doc)) continue;
      if (this.#test(chunk * CHUNK_DOCS + doc, 0)) setBit(this.#matching, doc);
      setBit(this.#known, doc);
      if (this.#meter.isDue()) yield;
    }
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    runToEnd(this.matchAhead(chunk, candidates));
    bits.set(this.#matching);
    return bits.some((word) => word !== 0);
  }
}

function next(candidates: Uint32Array | undefined, from: number, end: number): number {
  if (candidates !== undefined) return nextSetBit(candidates, from, end);
  return from < end ? from : -1;
}

let plans = 0;

/** The documents that a script accepts. */
export class ScriptNode extends FilterNode {
  readonly testsDocuments = true;
  /** Only candidates were tested, which other plans may not have: matches are cached for this plan only. */
  readonly key: string = `script#${++plans}`;
  readonly #script: DocumentScript<boolean>;

  constructor(script: DocumentScript<boolean>, constant: number) {
    super(constant);
    this.#script = script;
  }

  matcher(leaf: Leaf): Matcher {
    return new ScriptMatcher(this.#script, leaf, this.constant);
  }
}
