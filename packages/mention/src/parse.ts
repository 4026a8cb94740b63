// Parses markup into content. Everything that is not exactly an element is text, so parsing never fails.

import { type Content, type Entity, withRange } from './content.ts';
import { unescapeMarkup } from './escape.ts';
import { endTagAt, type StartTag, startTagAt } from './tags.ts';
import { wellFormed } from './unicode.ts';

/** An element with the positions of its tags. */
interface Element {
  readonly from: number;
  readonly tag: StartTag;
  readonly closeFrom: number;
  readonly closeEnd: number;
}

/**
 * Reads markup into content counted in UTF-16. Never throws; O(n).
 *
 * - Elements do not nest: of two start tags in a row the second opens the element and the first is text.
 * - An end tag closes the last start tag if it has the same name; otherwise it is text.
 * - An element without content is text.
 * - `&amp; &lt; &gt; &quot;` are characters, between elements and inside them.
 * - Before parsing, lone surrogates become U+FFFD and U+0000 becomes a space.
 */
export function parseMarkup(markup: string): Content {
  const source = wellFormed(markup);
  const parts: string[] = [];
  const entities: Entity[] = [];
  let length = 0;
  let at = 0;
  const append = (from: number, to: number): void => {
    const part = unescapeMarkup(source.slice(from, to));
    parts.push(part);
    length += part.length;
  };
  for (const { from, tag, closeFrom, closeEnd } of findElements(source)) {
    append(at, from);
    const start = length;
    append(tag.end, closeFrom);
    entities.push(withRange({ kind: tag.kind, ...Object.fromEntries(tag.attributes) }, start, length));
    at = closeEnd;
  }
  append(at, source.length);
  return { text: parts.join(''), entities, unit: 'utf16' };
}

/** The text of markup, without its elements. Never throws; O(n). */
export function plainText(markup: string): string {
  return parseMarkup(markup).text;
}

function findElements(source: string): Element[] {
  const found: Element[] = [];
  let open: { from: number; tag: StartTag } | undefined;
  let at = source.indexOf('<');
  while (at !== -1) {
    const start = startTagAt(source, at);
    const close = start === undefined ? endTagAt(source, at) : undefined;
    if (start !== undefined) open = { from: at, tag: start };
    if (close !== undefined && open?.tag.kind === close.kind) {
      if (at > open.tag.end) found.push({ ...open, closeFrom: at, closeEnd: close.end });
      open = undefined;
    }
    at = source.indexOf('<', start?.end ?? close?.end ?? at + 1);
  }
  return found;
}
