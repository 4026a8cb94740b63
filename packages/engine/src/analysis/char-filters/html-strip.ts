// html_strip: removes the markup of HTML, and puts characters in the place of entities. Elements that end a line become one.

import type { JsonObject } from '../../json/value.ts';
import type { CharFilter } from '../chain.ts';
import { listParam } from '../params.ts';
import { ENTITIES } from './html-entities.ts';
import { Rewriter } from './rewriter.ts';

/** Elements within a line. */
const INLINE: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small span strike ' +
    'strong sub sup textarea tt u var'
  ).split(' '),
);

/** Markup that ends at `end`; `kept` is what stays of it. */
interface Markup {
  readonly end: number;
  readonly kept: 'nothing' | 'line' | 'all';
}

export function htmlStrip(name: string, params: JsonObject): CharFilter {
  const escaped = new Set((listParam(params, 'escaped_tags') ?? []).map((tag) => tag.toLowerCase()));
  return {
    name,
    apply(text) {
      const out = new Rewriter();
      let cdataEnd = -1;
      for (let at = 0; at < text.length; ) {
        const c = text[at]!;
        if (c === '<' && at > cdataEnd) {
          const markup = markupAt(text, at, escaped);
          if (markup !== undefined) {
            if (markup.kept === 'all') out.add(text.slice(at, markup.end), at, true);
            else if (markup.kept === 'line') out.add('\n', at, false);
            else if (text.startsWith('<![CDATA[', at)) cdataEnd = text.indexOf(']]>', at);
            at = markup.end;
            continue;
          }
        } else if (at === cdataEnd) {
          at += 3;
          continue;
        } else if (c === '&' && at > cdataEnd) {
          const entity = entityAt(text, at);
          if (entity !== undefined) {
            out.add(entity.text, at, false);
            at = entity.end;
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

function nothing(end: number): Markup {
  return { end, kept: 'nothing' };
}

/** The markup that begins at a place; undefined where there is only text. */
function markupAt(text: string, at: number, escaped: ReadonlySet<string>): Markup | undefined {
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4);
    return nothing(end < 0 ? text.length : end + 3);
  }
  // What is between stays.
  if (text.startsWith('<![CDATA[', at)) return nothing(at + 9);
  if (text[at + 1] === '!' || text[at + 1] === '?') {
    const end = text.indexOf('>', at);
    const isMarkup = end > 0 && (text[at + 1] === '!' || (text[end - 1] === '?' && end > at + 2));
    return isMarkup ? nothing(end + 1) : undefined;
  }
  return tagAt(text, at, escaped);
}

const TAG = /<(?:\s*|\/\s*)([:_\p{ID_Start}][-.:_\p{ID_Continue}]*)(?=[\s>]|\/>)/uy;
const ATTRIBUTE = /\s+[:_\p{ID_Start}][-.:_\p{ID_Continue}]*\s*=\s*(?:'[^']*'|"[^"]*")/uy;

function tagAt(text: string, at: number, escaped: ReadonlySet<string>): Markup | undefined {
  TAG.lastIndex = at;
  const name = TAG.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const isEnd = text[at + 1] === '/';
  const end = tagEnd(text, TAG.lastIndex, isEnd);
  if (end === undefined) return undefined;
  if (escaped.has(name)) return { end, kept: 'all' };
  if (!isEnd && (name === 'script' || name === 'style') && text[end - 2] !== '/') {
    const close = closeOf(text, end, name);
    return close === undefined ? nothing(text.length) : { end: close, kept: 'line' };
  }
  return { end, kept: INLINE.has(name) ? 'nothing' : 'line' };
}

/** The place behind a tag; undefined where another one begins within it, or the text ends. */
function tagEnd(text: string, from: number, isEnd: boolean): number | undefined {
  for (let at = from; at < text.length; ) {
    ATTRIBUTE.lastIndex = at;
    if (!isEnd && ATTRIBUTE.test(text)) at = ATTRIBUTE.lastIndex;
    else if (text[at] === '>') return at + 1;
    else if (text[at] === '<') return undefined;
    else at++;
  }
  return undefined;
}

/** The place behind the end of a script or style; comments in it may hold that end. */
function closeOf(text: string, from: number, name: string): number | undefined {
  const close = name === 'script' ? /<!--|<\/\s*script\s*>/giu : /<!--|<\/\s*style\s*>/giu;
  close.lastIndex = from;
  for (let found = close.exec(text); found !== null; found = close.exec(text)) {
    if (found[0] !== '<!--') return close.lastIndex;
    const end = text.indexOf('-->', close.lastIndex);
    if (end < 0) return undefined;
    close.lastIndex = end + 3;
  }
  return undefined;
}

const ENTITY = /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([A-Za-z][A-Za-z0-9]{1,7}))(?:;|$)/y;

function entityAt(text: string, at: number): { text: string; end: number } | undefined {
  const first = codeAt(text, at);
  if (first === undefined) return undefined;
  if (typeof first.code === 'string') return { text: first.code, end: first.end };
  if (first.code > 0x10ffff) return undefined;
  if (first.code < 0xd800 || first.code > 0xdfff)
    return { text: String.fromCodePoint(first.code), end: first.end };
  // Two halves of a character may stand as entities of their own.
  const second = first.code < 0xdc00 ? codeAt(text, first.end)?.code : undefined;
  if (typeof second !== 'number' || second < 0xdc00 || second > 0xdfff)
    return { text: '\ufffd', end: first.end };
  return { text: String.fromCharCode(first.code, second), end: codeAt(text, first.end)!.end };
}

function codeAt(text: string, at: number): { code: number | string; end: number } | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return undefined;
  const end = ENTITY.lastIndex;
  const [, hex, decimal, name] = match;
  if (name === undefined) {
    return { code: hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), end };
  }
  const code = ENTITIES.get(name);
  return code === undefined ? undefined : { code, end };
}
