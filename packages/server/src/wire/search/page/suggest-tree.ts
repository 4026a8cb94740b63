// Makes the `suggest` member of a reply.

import type { SuggestOption, SuggestResults } from '@octavo/engine';
import { float } from '../../../json/number-text.ts';
import type { ReplyObject } from '../../../json/reply-value.ts';
import type { Target } from '../../resolve/target.ts';
import type { Services } from '../../router/route.ts';
import type { SearchSpec } from '../body/search-spec.ts';
import { hitPrinter } from './search-tree.ts';

/** Options between two yields: each may show a document. */
const OPTIONS_AT_ONCE = 32;

/** Suggestions by name, with their kinds where `typed_keys` asks for them. Yields between options. */
export function* suggestTree(
  services: Services,
  target: Target,
  spec: SearchSpec,
  results: SuggestResults,
): Generator<void, ReplyObject, undefined> {
  const printHit = hitPrinter(services, target, spec);
  const printOption = ({
    text,
    highlighted,
    hit,
    score,
    freq,
    contexts = [],
  }: SuggestOption): ReplyObject => ({
    text,
    highlighted,
    ...(hit === undefined ? { score: float(score) } : printHit(hit)),
    freq,
    contexts: contexts.length === 0 ? undefined : contextsTree(contexts),
  });
  const out = Object.create(null) as ReplyObject;
  for (const [name, { kind, entries }] of results) {
    const printed: ReplyObject[] = [];
    for (const { text, offset, length, options } of entries) {
      const list: ReplyObject[] = [];
      for (const option of options) {
        if (list.push(printOption(option)) % OPTIONS_AT_ONCE === 0) yield;
      }
      printed.push({ text, offset, length, options: list });
      yield;
    }
    out[spec.typedKeys ? `${kind}#${name}` : name] = printed;
  }
  return out;
}

function contextsTree(contexts: NonNullable<SuggestOption['contexts']>): ReplyObject {
  const out = Object.create(null) as ReplyObject;
  for (const [name, values] of contexts) out[name] = [...values];
  return out;
}
