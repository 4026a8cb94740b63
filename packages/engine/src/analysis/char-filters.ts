// Character filters by type: they rewrite text before it is cut, and remember where each UTF-16 unit came from.

import { illegalArgument } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { Replacement } from '../patterns/java/replacement.ts';
import type { CharFilter } from './chain.ts';
import { htmlStrip } from './char-filters/html-strip.ts';
import { Rewriter } from './char-filters/rewriter.ts';
import { patternOf } from './filters/pattern-filters.ts';
import { listParam, refuseFile, textParam } from './params.ts';

type CharFilterFactory = (name: string, params: JsonObject) => CharFilter;

function mapping(name: string, params: JsonObject): CharFilter {
  refuseFile(name, params, 'mappings_path', 'mappings', 'char_filter');
  const rules = listParam(params, 'mappings');
  if (rules === undefined)
    throw illegalArgument('mapping requires either `mappings` or `mappings_path` to be configured');
  const table = new Map<string, string>();
  let longest = 0;
  for (const [i, rule] of rules.entries()) {
    const arrow = rule.lastIndexOf('=>');
    if (arrow < 0) throw illegalArgument(`Line [${i + 1}]: Invalid mapping rule : [${rule}]`);
    const from = plainRule(rule.slice(0, arrow).trim());
    if (from === '') throw illegalArgument('cannot match the empty string');
    if (table.has(from)) throw illegalArgument(`match "${from}" was already added`);
    table.set(from, plainRule(rule.slice(arrow + 2).trim()));
    longest = Math.max(longest, from.length);
  }
  return {
    name,
    apply(text) {
      const out = new Rewriter();
      scan: for (let at = 0; at < text.length; ) {
        for (let length = Math.min(longest, text.length - at); length > 0; length--) {
          const to = table.get(text.slice(at, at + length));
          if (to === undefined) continue;
          out.add(to, at, false);
          at += length;
          continue scan;
        }
        out.add(text[at]!, at, true);
        at++;
      }
      return out.finish(text.length);
    },
  };
}

function plainRule(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) => {
    if (code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[code] ?? code;
  });
}

/** Replaces the matches of a pattern. */
function patternReplaceText(name: string, params: JsonObject): CharFilter {
  const source = textParam(params, 'pattern');
  if (source === undefined)
    throw illegalArgument(`pattern is missing for [${name}] char filter of type 'pattern_replace'`);
  const pattern = patternOf(params, source);
  const replacement = textParam(params, 'replacement') ?? '';
  return {
    name,
    apply(text) {
      const corrections = new OffsetCorrections();
      let made: Replacement | undefined;
      let out = '';
      let end = 0;
      let difference = 0;
      for (const match of pattern.matches(text)) {
        made ??= new Replacement(replacement, pattern);
        out += text.slice(end, match[0]);
        end = match[1]!;
        const from = out.length;
        out += made.of(match, text);
        const size = out.length - from;
        const length = end - match[0]!;
        if (size < length) corrections.add(from + size, (difference += length - size));
        else for (let i = length; i < size; i++) corrections.add(from + i, --difference);
      }
      return { text: out + text.slice(end), offset: (index) => Math.max(0, corrections.apply(index)) };
    },
  };
}

/** Differences between a text and its original, each from one offset on (Lucene: BaseCharFilter). */
class OffsetCorrections {
  readonly #from: number[] = [];
  readonly #differences: number[] = [];

  add(from: number, difference: number): void {
    if (this.#from.at(-1) === from) this.#differences[this.#from.length - 1] = difference;
    else {
      this.#from.push(from);
      this.#differences.push(difference);
    }
  }

  apply(offset: number): number {
    let low = 0;
    let high = this.#from.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#from[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? offset : offset + this.#differences[low - 1]!;
  }
}

/** Character filters by type. */
export const CHAR_FILTERS: ReadonlyMap<string, CharFilterFactory> = new Map([
  ['html_strip', htmlStrip],
  ['mapping', mapping],
  ['pattern_replace', patternReplaceText],
]);

/** Character filters that cannot be used by their name alone. */
export const CONFIGURED_CHAR_FILTERS: ReadonlySet<string> = new Set(['mapping', 'pattern_replace']);
