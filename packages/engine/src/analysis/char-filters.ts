// Character filters: they rewrite text before it is cut, and remember where each UTF-16 unit came from.

import { illegalArgument } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { Replacement } from '../patterns/java/replacement.ts';
import type { CharFilter, FilteredText } from './chain.ts';
import { patternOf } from './filters/pattern-filters.ts';
import { listParam, textParam } from './params.ts';

export type CharFilterFactory = (name: string, params: JsonObject) => CharFilter;

/** Builds filtered text piece by piece, with the origin of every unit. */
class Rewriter {
  #out: string[] = [];
  #origins: number[] = [];

  /** Adds text that came from `from`: verbatim, unit by unit, or as a whole. */
  add(text: string, from: number, verbatim: boolean): void {
    this.#out.push(text);
    for (let i = 0; i < text.length; i++) this.#origins.push(verbatim ? from + i : from);
  }

  finish(length: number): FilteredText {
    const origins = this.#origins;
    return {
      text: this.#out.join(''),
      // An end maps to the origin of the unit behind it, so text removed inside a token stays inside its
      // offsets.
      offset: (index) => (index < origins.length ? origins[index]! : length),
    };
  }
}

/** The common HTML entities; others stay as they are. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  deg: '°',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  ccedil: 'ç',
  ntilde: 'ñ',
  oacute: 'ó',
  iacute: 'í',
  uacute: 'ú',
  ecirc: 'ê',
  icirc: 'î',
  ocirc: 'ô',
  ucirc: 'û',
  iuml: 'ï',
  euml: 'ë',
  aring: 'å',
  oslash: 'ø',
  aelig: 'æ',
  laquo: '«',
  raquo: '»',
  euro: '€',
  pound: '£',
  yen: '¥',
};

const INLINE = new Set(
  'a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small span strike strong sub sup textarea tt u var'.split(
    ' ',
  ),
);

function htmlStrip(name: string, params: JsonObject): CharFilter {
  const escaped = new Set(listParam(params, 'escaped_tags') ?? []);
  return {
    name,
    apply(text) {
      const out = new Rewriter();
      let at = 0;
      while (at < text.length) {
        const c = text[at]!;
        if (c === '<') {
          const end = tagEnd(text, at);
          if (end > 0) {
            const tag = /^<\/?([A-Za-z][A-Za-z0-9:_-]*)/
              .exec(text.slice(at, Math.min(end, at + 64)))?.[1]
              ?.toLowerCase();
            if (tag !== undefined && escaped.has(tag)) out.add(text.slice(at, end), at, true);
            else if (tag !== undefined && !INLINE.has(tag)) out.add('\n', at, false);
            at = end;
            continue;
          }
        } else if (c === '&') {
          const semi = text.indexOf(';', at);
          const plain = semi > 0 && semi - at < 12 ? entity(text.slice(at + 1, semi)) : undefined;
          if (plain !== undefined) {
            out.add(plain, at, false);
            at = semi + 1;
            continue;
          }
        }
        out.add(c, at, true);
        at++;
      }
      return out.finish(text.length);
    },
  };
}

/** Position behind the markup that begins at `at`, or -1 if it is none. */
function tagEnd(text: string, at: number): number {
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4);
    return end < 0 ? -1 : end + 3;
  }
  if (!/[A-Za-z/!?]/.test(text[at + 1] ?? '')) return -1;
  const end = text.indexOf('>', at);
  if (end < 0) return -1;
  const name = /^<(script|style)\b/i.exec(text.slice(at, at + 8))?.[1]?.toLowerCase();
  if (name === undefined) return end + 1;
  const close = text.toLowerCase().indexOf(`</${name}`, end);
  const closed = close < 0 ? -1 : text.indexOf('>', close);
  return closed < 0 ? end + 1 : closed + 1;
}

function entity(body: string): string | undefined {
  const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(body);
  if (number === null) return Object.hasOwn(ENTITIES, body) ? ENTITIES[body] : undefined;
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : undefined;
}

function mapping(name: string, params: JsonObject): CharFilter {
  const rules = listParam(params, 'mappings');
  if (rules === undefined)
    throw illegalArgument('mapping requires either `mappings` or `mappings_path` to be configured');
  const table = new Map<string, string>();
  let longest = 0;
  for (const rule of rules) {
    const arrow = rule.lastIndexOf('=>');
    if (arrow < 0) throw illegalArgument(`Invalid Mapping Rule : [${rule}]`);
    const from = plainRule(rule.slice(0, arrow).trim());
    if (from === '') throw illegalArgument(`Invalid Mapping Rule : [${rule}]. Cannot map from empty string.`);
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
