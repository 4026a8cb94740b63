// Words of Thai, which are written without spaces: the runtime's dictionary finds them.

import type { Token } from '../analyzer.ts';
import type { Tokenizer } from '../chain.ts';

export function thaiTokenizer(name: string): Tokenizer {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
  return {
    name,
    tokenize(text) {
      const tokens: Token[] = [];
      for (const { segment: term, index: start } of segmenter.segment(text)) {
        if (!/^[\p{L}\p{Nd}]/u.test(term)) continue;
        const end = start + term.length;
        tokens.push({ term, start, end, position: tokens.length, positionLength: 1, type: 'word' });
      }
      return tokens;
    },
  };
}
