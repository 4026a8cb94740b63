// Parses mustache templates. The parser is our own because a library compiles delimiters, which templates may change, into
// regular expressions, and keeps every template that it has seen; the errors are those of the peer.

import { EngineError } from '../../errors.ts';

/** A part of a template. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: string; readonly isEscaped: boolean; readonly line: number }
  | Section
  | { readonly kind: 'toJson'; readonly path: string; readonly line: number }
  | {
      readonly kind: 'join';
      readonly delimiter: string;
      readonly body: readonly TemplateNode[];
      readonly line: number;
    }
  | { readonly kind: 'url'; readonly body: readonly TemplateNode[] };

/** What is shown for a value, or for each item of a list; an inverted one where there is none. */
interface Section {
  readonly kind: 'section';
  readonly path: string;
  readonly isInverted: boolean;
  readonly body: readonly TemplateNode[];
  readonly line: number;
}

/** A section whose end has not been reached. */
interface OpenSection {
  readonly name: string;
  readonly isInverted: boolean;
  readonly line: number;
  readonly outer: TemplateNode[];
}

/** Sections inside each other. */
const MAX_DEPTH = 100;

/** A template that does not parse, or has no value where it needs one. */
export function mustacheError(reason: string, line?: number): EngineError {
  return new EngineError(
    'mustache_exception',
    line === undefined ? reason : `${reason} @[query-template:${line}]`,
  );
}

/** Parses a template. Throws mustache_exception. O(source). */
export function parseTemplate(source: string): readonly TemplateNode[] {
  return new TemplateParser(source).parse();
}

class TemplateParser {
  readonly #source: string;
  #open = '{{';
  #close = '}}';
  #at = 0;
  #line = 1;
  #nodes: TemplateNode[] = [];
  readonly #sections: OpenSection[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  parse(): readonly TemplateNode[] {
    for (;;) {
      const tag = this.#source.indexOf(this.#open, this.#at);
      this.#text(tag === -1 ? this.#source.length : tag);
      if (tag === -1) break;
      this.#tag(tag);
    }
    const open = this.#sections.at(-1);
    if (open !== undefined) throw mustacheError(`Failed to close '${open.name}' tag`, open.line);
    return this.#nodes;
  }

  #text(end: number): void {
    const text = this.#source.slice(this.#at, end);
    this.#at = end;
    if (text !== '') this.#nodes.push({ kind: 'text', text });
    for (const character of text) if (character === '\n') this.#line++;
  }

  #tag(start: number): void {
    const from = start + this.#open.length;
    const isTriple = this.#open === '{{' && this.#source[from] === '{';
    const close = isTriple ? '}}}' : this.#source[from] === '=' ? `=${this.#close}` : this.#close;
    const line = this.#line;
    const end = this.#source.indexOf(close, from + 1);
    if (from === this.#source.length || this.#source.startsWith(this.#close, from))
      throw mustacheError('Empty mustache', line);
    if (end === -1) throw mustacheError('Improperly closed variable', line);
    const sign = this.#source[from]!;
    const content = this.#source.slice(from, end);
    this.#at = end + close.length;
    for (const character of content) if (character === '\n') this.#line++;
    const name = content.slice(1).trim();
    switch (sign) {
      case '#':
      case '^':
        this.#standalone(start);
        this.#begin({ name, isInverted: sign === '^', line, outer: this.#nodes });
        break;
      case '/':
        this.#standalone(start);
        this.#end(name);
        break;
      case '{':
      case '&':
        this.#nodes.push({ kind: 'value', path: name, isEscaped: false, line });
        break;
      case '!':
        break;
      case '=':
        this.#delimiters(name);
        break;
      case '>':
        throw new EngineError('mustache_not_found_exception', 'Template part not found');
      case '<':
      case '$':
        throw mustacheError(`templates that extend others ({{${sign}${name}}}) are not supported`, line);
      default:
        this.#nodes.push({ kind: 'value', path: content.trim(), isEscaped: true, line });
    }
  }

  /** The line of a tag that stands alone is not shown: neither the spaces around it nor its end. */
  #standalone(start: number): void {
    let from = start;
    while (from > 0 && isSpace(this.#source[from - 1]!)) from--;
    let to = this.#at;
    while (to < this.#source.length && isSpace(this.#source[to]!)) to++;
    if (from > 0 && this.#source[from - 1] !== '\n') return;
    if (to < this.#source.length && this.#source[to] !== '\n' && !this.#source.startsWith('\r\n', to)) return;
    const before = this.#nodes.at(-1);
    if (from < start && before?.kind === 'text') {
      this.#nodes.pop();
      const text = before.text.slice(0, before.text.length - (start - from));
      if (text !== '') this.#nodes.push({ kind: 'text', text });
    }
    if (to === this.#source.length) {
      this.#at = to;
      return;
    }
    this.#at = to + (this.#source[to] === '\r' ? 2 : 1);
    this.#line++;
  }

  #begin(section: OpenSection): void {
    if (this.#sections.length >= MAX_DEPTH)
      throw mustacheError(`more than ${MAX_DEPTH} levels of nesting`, section.line);
    this.#sections.push(section);
    this.#nodes = [];
  }

  #end(name: string): void {
    const open = this.#sections.pop();
    if (open?.name !== name) {
      const reason = `Mismatched start/end tags: ${open?.name ?? null} != ${name} in query-template:${this.#line}`;
      throw mustacheError(reason, this.#line);
    }
    const body = this.#nodes;
    this.#nodes = open.outer;
    this.#nodes.push(sectionNode(open, body));
  }

  #delimiters(text: string): void {
    const [open, close, ...more] = text.split(' ').filter((part) => part !== '');
    if (open === undefined || close === undefined || more.length > 0)
      throw mustacheError('Invalid delimiter string', this.#line);
    this.#open = open;
    this.#close = close;
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t';
}

function sectionNode({ name, isInverted, line }: OpenSection, body: readonly TemplateNode[]): TemplateNode {
  if (isInverted) return { kind: 'section', path: name, isInverted, body, line };
  if (name === 'url') return { kind: 'url', body };
  const delimiter = delimiterOf(name);
  if (name !== 'toJson' && delimiter === undefined)
    return { kind: 'section', path: name, isInverted, body, line };
  const [only] = body;
  if (only === undefined || body.length > 1) {
    const what = name === 'toJson' ? name : 'join';
    throw mustacheError(`Mustache function [${what}] must contain one and only one identifier`);
  }
  if (delimiter !== undefined) return { kind: 'join', delimiter, body, line };
  return { kind: 'toJson', path: only.kind === 'text' ? only.text : '', line };
}

/** What stands between joined items: `join delimiter='; '`; undefined for other sections. */
function delimiterOf(name: string): string | undefined {
  if (name === 'join') return ',';
  const found = /^join\s+delimiter='(.*)'$/s.exec(name);
  return found?.[1];
}
