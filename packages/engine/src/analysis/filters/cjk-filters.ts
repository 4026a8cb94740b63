// Filters for Chinese, Japanese and Korean: width variants become the usual characters, and runs of characters become pairs.

import type { JsonObject } from '../../json/value.ts';
import type { Token } from '../analyzer.ts';
import { setPositionCount, type TokenFilter } from '../chain.ts';
import { boolParam, listParam } from '../params.ts';

const VOICE_MARKS: ReadonlySet<string> = new Set(['\uff9e', '\uff9f']);

/** Fullwidth ASCII as ASCII, halfwidth Katakana as Katakana; a voice mark joins the character before it. */
export function foldWidth(term: string): string {
  if (!/[\uff01-\uff9f]/.test(term)) return term;
  let out = '';
  for (const c of term) {
    if (c >= '\uff01' && c <= '\uff5e') out += String.fromCharCode(c.charCodeAt(0) - 0xfee0);
    else if (c < '\uff65' || c > '\uff9f') out += c;
    else if (VOICE_MARKS.has(c) && /[\u30a6-\u30fd]$/.test(out)) {
      out = out.slice(0, -1) + (out.at(-1)! + c.normalize('NFKC')).normalize('NFC');
    } else out += c.normalize('NFKC');
  }
  return out;
}

/** The scripts of which pairs are made, by the names of `ignored_scripts`, with the types of their tokens. */
const SCRIPTS: Readonly<Record<string, string>> = Object.freeze({
  han: '<IDEOGRAPHIC>',
  hiragana: '<HIRAGANA>',
  katakana: '<KATAKANA>',
  hangul: '<HANGUL>',
});

interface Character {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Makes pairs of adjacent characters; a character without neighbours stays alone. */
export function cjkBigram(name: string, params: JsonObject): TokenFilter {
  const unigrams = boolParam(params, 'output_unigrams', false);
  const ignored = new Set(listParam(params, 'ignored_scripts') ?? []);
  const types = new Set(Object.keys(SCRIPTS).flatMap((key) => (ignored.has(key) ? [] : [SCRIPTS[key]!])));
  return {
    name,
    ...(unigrams ? { disablesGraph: true, forSynonyms: 'refused' as const } : {}),
    apply(tokens) {
      const out: Token[] = [];
      let run: Character[] = [];
      let position = -1;
      const put = (
        characters: readonly Character[],
        type: string,
        step: number,
        positionLength: number,
      ): void => {
        position += step;
        const term = characters.map(({ text }) => text).join('');
        const { start } = characters[0]!;
        out.push({ term, start, end: characters.at(-1)!.end, position, positionLength, type });
      };
      const flush = (): void => {
        for (const [i, character] of run.entries()) {
          if (unigrams || run.length === 1) put([character], '<SINGLE>', 1, 1);
          const next = run[i + 1];
          if (next !== undefined) put([character, next], '<DOUBLE>', unigrams ? 0 : 1, unigrams ? 2 : 1);
        }
        run = [];
      };
      let before = -1;
      for (const token of tokens) {
        const step = token.position - before;
        before = token.position;
        if (!types.has(token.type)) {
          flush();
          position += step;
          out.push({ ...token, position });
          continue;
        }
        if (run.length > 0 && run.at(-1)!.end !== token.start) flush();
        run.push(...charactersOf(token));
      }
      flush();
      return setPositionCount(out, position + 1);
    },
  };
}

function charactersOf({ term, start, end }: Token): Character[] {
  // Where a filter before changed the text, each character gets the place of the whole.
  const exact = end - start === term.length;
  let at = start;
  return Array.from(term, (text) => {
    if (!exact) return { text, start, end };
    const from = at;
    at += text.length;
    return { text, start: from, end: at };
  });
}
