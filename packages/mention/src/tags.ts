// Recognizes a tag at a position of the markup. Anything that does not match this grammar exactly is text.
//
//   start tag  "<" kind *( 1*space name "=" DQUOTE value DQUOTE ) *space ">"
//   end tag    "</" kind ">"
//   kind       "user" | "topic" | "entity" | "link"
//   name       of the kind: user has username (required) and id; link has href (required) and id; topic and entity id
//   value      1*( any character but DQUOTE and "<" ), with &amp; &lt; &gt; &quot; for & < > "
//   space      SP | TAB | LF | CR
//
// Names are lower case. An attribute that is unknown, of another kind or repeated makes the whole tag text.
// No tag contains a raw "<", so at most one attempt reads each character: parsing is linear.

import { ATTRIBUTES, type Attribute, KINDS, type Kind, requiredAttribute } from './content.ts';
import { unescapeMarkup } from './escape.ts';

export interface StartTag {
  readonly kind: Kind;
  readonly attributes: ReadonlyMap<Attribute, string>;
  /** The position behind its ">". */
  readonly end: number;
}

export interface EndTag {
  readonly kind: Kind;
  readonly end: number;
}

/** The start tag whose "<" is at `at`, or undefined. */
export function startTagAt(markup: string, at: number): StartTag | undefined {
  const kind = kindAt(markup, at + 1);
  if (kind === undefined) return undefined;
  const attributes = new Map<Attribute, string>();
  let here = at + 1 + kind.length;
  for (;;) {
    const next = skipSpace(markup, here);
    if (markup[next] === '>') {
      const required = requiredAttribute(kind);
      if (required !== undefined && !attributes.has(required)) return undefined;
      return { kind, attributes, end: next + 1 };
    }
    if (next === here) return undefined;
    const name = ATTRIBUTES[kind].find((known) => markup.startsWith(`${known}="`, next));
    if (name === undefined || attributes.has(name)) return undefined;
    const from = next + name.length + 2;
    const to = valueEnd(markup, from);
    if (to === undefined) return undefined;
    attributes.set(name, unescapeMarkup(markup.slice(from, to)));
    here = to + 1;
  }
}

/** The end tag whose "<" is at `at`, or undefined. */
export function endTagAt(markup: string, at: number): EndTag | undefined {
  if (markup[at + 1] !== '/') return undefined;
  const kind = kindAt(markup, at + 2);
  if (kind === undefined || markup[at + 2 + kind.length] !== '>') return undefined;
  return { kind, end: at + 3 + kind.length };
}

function kindAt(markup: string, at: number): Kind | undefined {
  return KINDS.find((kind) => markup.startsWith(kind, at));
}

function skipSpace(markup: string, at: number): number {
  let here = at;
  while (markup[here] === ' ' || markup[here] === '\t' || markup[here] === '\n' || markup[here] === '\r')
    here++;
  return here;
}

/** The position of the closing quote; undefined if the value is empty or does not end. */
function valueEnd(markup: string, from: number): number | undefined {
  for (let at = from; at < markup.length; at++) {
    if (markup[at] === '<') return undefined;
    if (markup[at] === '"') return at > from ? at : undefined;
  }
  return undefined;
}
