// The words of Lucene's ClassicTokenizer: runs of letters and digits, and in one piece words with apostrophes, acronyms,
// companies (`AT&T`), addresses, hosts and numbers of many kinds. The longest reading wins; of equal ones, the first.

import type { Token } from '../analyzer.ts';
import { setPositionCount, type Tokenizer } from '../chain.ts';

/** Words with a dot behind each. */
const DOTTED = '<ACRONYM_DEP>';

/**
 * The readings of a word, by type, over classes of characters: L letter, T other Thai character, D digit, C ideograph or kana.
 * A look ahead finds the digit of a number, so that no two readings of a run are tried.
 */
const READINGS: readonly (readonly [string, RegExp])[] = [
  ['<ALPHANUM>', /[LTD]+/y],
  ['<APOSTROPHE>', /L+(?:'L+)+/y],
  ['<ACRONYM>', /L\.(?:L\.)+/y],
  ['<COMPANY>', /L+[&@]L+/y],
  ['<EMAIL>', /[LTD]+(?:[.\-_][LTD]+)*@[LTD]+(?:[.-][LTD]+)+/y],
  ['<HOST>', /[LTD]+(?:\.[LTD]+)+/y],
  ['<NUM>', /[LTD]+[_\-/.,](?=L*D)[LD]+/y],
  ['<NUM>', /(?=L*D)[LD]+[_\-/.,][LTD]+/y],
  ['<NUM>', /[LTD]+(?:[_\-/.,](?=L*D)[LD]+[_\-/.,][LTD]+)+/y],
  ['<NUM>', /(?=L*D)[LD]+(?:[_\-/.,][LTD]+[_\-/.,](?=L*D)[LD]+)+/y],
  ['<NUM>', /[LTD]+[_\-/.,](?=L*D)[LD]+(?:[_\-/.,][LTD]+[_\-/.,](?=L*D)[LD]+)+/y],
  ['<NUM>', /(?=L*D)[LD]+[_\-/.,][LTD]+(?:[_\-/.,](?=L*D)[LD]+[_\-/.,][LTD]+)+/y],
  ['<CJ>', /C/y],
  [DOTTED, /[LTD]+\.(?:[LTD]+\.)+/y],
];

/** Longer words are left out, and leave a gap. */
export function classicTokenizer(name: string, maxLength: number): Tokenizer {
  return {
    name,
    tokenize(text) {
      const tokens: Token[] = [];
      const classes = classesOf(text);
      let position = 0;
      for (let at = 0; at < text.length; ) {
        const found = longest(classes, at);
        if (found === undefined) {
          at++;
          continue;
        }
        const { end, type } = found;
        const term = text.slice(at, end);
        if (term.length <= maxLength) tokens.push(shown(term, at, type, position));
        position++;
        at = end;
      }
      return setPositionCount(tokens, position);
    },
  };
}

/** A host keeps the place of the dot behind it. */
function shown(term: string, start: number, type: string, position: number): Token {
  const token = { start, end: start + term.length, position, positionLength: 1 };
  return type === DOTTED ? { ...token, term: term.slice(0, -1), type: '<HOST>' } : { ...token, term, type };
}

function longest(classes: string, at: number): { end: number; type: string } | undefined {
  let best: { end: number; type: string } | undefined;
  for (const [type, pattern] of READINGS) {
    pattern.lastIndex = at;
    if (pattern.test(classes) && pattern.lastIndex > (best?.end ?? at))
      best = { end: pattern.lastIndex, type };
  }
  return best;
}

/** A letter for each UTF-16 unit. Joints of words stand for themselves, all else is a space. */
function classesOf(text: string): string {
  let out = '';
  for (const c of text) out += classOf(c).repeat(c.length);
  return out;
}

const KANA_OR_IDEOGRAPH =
  /[\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3300-\u337f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff65-\uff9f]/;

function classOf(c: string): string {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return 'L';
  if (c >= '0' && c <= '9') return 'D';
  if (c < '\x80') return "'&@._-/,".includes(c) ? c : ' ';
  if (KANA_OR_IDEOGRAPH.test(c)) return 'C';
  if (/\p{L}/u.test(c)) return 'L';
  if (/\p{Nd}/u.test(c)) return 'D';
  return c >= '\u0e00' && c <= '\u0e59' ? 'T' : ' ';
}
