// The parts of analysis that OpenSearch has and this engine refuses by name: what each lacks, and what to use instead.

import { type EngineError, illegalArgument } from '../errors.ts';

type PartKind = 'analyzer' | 'filter' | 'stemmer';

const SCRIPTED = 'it needs a script; use [keep_types], [keyword_marker] or [multiplexer]';
const KROVETZ = 'it needs a lexicon; use [porter_stem], or [stemmer] with [minimal_english]';

const REASONS: Readonly<Record<PartKind, Readonly<Record<string, string>>>> = {
  analyzer: {
    galician:
      'use the tokenizer [standard] and the filters [lowercase], [stop] with [_galician_], and [stemmer] with [minimal_galician]',
  },
  filter: {
    condition: SCRIPTED,
    hunspell: 'it needs files of the server; use [stemmer], and [stemmer_override] for single words',
    hyphenation_decompounder: 'it needs files of the server; use [dictionary_decompounder]',
    kstem: KROVETZ,
    predicate_token_filter: SCRIPTED,
  },
  stemmer: {
    galician: 'use [minimal_galician]',
    kstem: KROVETZ,
    light_english: KROVETZ,
    portuguese_rslp: 'use [light_portuguese] or [minimal_portuguese]',
    yiddish: 'list words in [stemmer_override]',
  },
};

/** Names of one kind that are refused. */
export function unsupportedNames(kind: PartKind): string[] {
  return Object.keys(REASONS[kind]);
}

/** The error for a part that is refused; undefined for every other name. */
export function unsupportedPart(kind: PartKind, name: string): EngineError | undefined {
  if (!Object.hasOwn(REASONS[kind], name)) return undefined;
  return illegalArgument(`${kind} [${name}] is not supported: ${REASONS[kind][name]}`);
}
