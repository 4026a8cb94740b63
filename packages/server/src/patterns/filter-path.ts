// `filter_path`: paths of names with `*` inside a name and `**` for any number of levels; a leading `-`
// excludes. Works on JSON text, so the remaining values keep their spelling.

import { skipSpace, stringEnd } from './json-text.ts';
import { matchesWildcard } from './wildcard.ts';

/** A parsed `filter_path`. */
export interface PathFilter {
  readonly includes: readonly (readonly string[])[];
  readonly excludes: readonly (readonly string[])[];
}

/** Parses the comma-separated parts of the parameter; undefined if there are none. */
export function parseFilterPath(parts: readonly string[]): PathFilter | undefined {
  const includes: string[][] = [];
  const excludes: string[][] = [];
  for (const part of parts) {
    const path = part.trim();
    if (path === '' || path === '-') continue;
    if (path.startsWith('-')) excludes.push(splitPath(path.slice(1)));
    else includes.push(splitPath(path));
  }
  return includes.length + excludes.length === 0 ? undefined : { includes, excludes };
}

/** `a.b\.c.*` → `a`, `b.c`, `*`. */
function splitPath(path: string): string[] {
  const out: string[] = [''];
  for (let i = 0; i < path.length; i++) {
    if (path[i] === '\\' && path[i + 1] === '.') {
      out[out.length - 1] += '.';
      i++;
    } else if (path[i] === '.') out.push('');
    else out[out.length - 1] += path[i];
  }
  return out;
}

/** The JSON text without what the filter drops; objects and arrays that become empty are dropped as well. */
export function filterJson(text: string, filter: PathFilter): string {
  let filtered = text;
  if (filter.includes.length > 0)
    filtered = new FilterWalk(filtered, true).value(0, filter.includes).text ?? '{}';
  if (filter.excludes.length > 0)
    filtered = new FilterWalk(filtered, false).value(0, filter.excludes).text ?? '{}';
  return filtered;
}

interface FilteredValue {
  /** Undefined if nothing is left. */
  readonly text: string | undefined;
  readonly end: number;
}

/** One pass over the text; `patterns` are the rest of the paths at this depth. */
class FilterWalk {
  readonly #text: string;
  readonly #keep: boolean;

  constructor(text: string, keep: boolean) {
    this.#text = text;
    this.#keep = keep;
  }

  value(start: number, patterns: readonly (readonly string[])[]): FilteredValue {
    const at = skipSpace(this.#text, start);
    const reached = patterns.some((p) => p.every((part) => part === '**'));
    if (patterns.length === 0 || reached) {
      const end = this.#skip(at);
      const whole = reached === this.#keep;
      return { text: whole ? this.#text.slice(at, end) : undefined, end };
    }
    const char = this.#text[at];
    if (char === '{') return this.#members(at, patterns);
    if (char === '[') return this.#items(at, patterns);
    const end = this.#skip(at);
    return { text: this.#keep ? undefined : this.#text.slice(at, end), end };
  }

  #members(start: number, patterns: readonly (readonly string[])[]): FilteredValue {
    const out: string[] = [];
    let at = skipSpace(this.#text, start + 1);
    let dropped = false;
    while (this.#text[at] !== '}') {
      if (this.#text[at] === ',') at = skipSpace(this.#text, at + 1);
      const nameEnd = stringEnd(this.#text, at);
      const name = this.#text.slice(at, nameEnd);
      const colon = skipSpace(this.#text, nameEnd);
      const step = this.value(colon + 1, descend(patterns, JSON.parse(name) as string));
      if (step.text !== undefined) out.push(`${name}:${step.text}`);
      else dropped = true;
      at = skipSpace(this.#text, step.end);
    }
    const empty = out.length === 0 && (this.#keep || dropped);
    return { text: empty ? undefined : `{${out.join(',')}}`, end: at + 1 };
  }

  /** Array items have the same path as their array. */
  #items(start: number, patterns: readonly (readonly string[])[]): FilteredValue {
    const out: string[] = [];
    let at = skipSpace(this.#text, start + 1);
    while (this.#text[at] !== ']') {
      if (this.#text[at] === ',') at = skipSpace(this.#text, at + 1);
      const step = this.value(at, patterns);
      if (step.text !== undefined) out.push(step.text);
      at = skipSpace(this.#text, step.end);
    }
    // One that was empty before is dropped, too: a path leads into it.
    return { text: out.length === 0 ? undefined : `[${out.join(',')}]`, end: at + 1 };
  }

  /** The offset after the value at `at`. */
  #skip(at: number): number {
    let depth = 0;
    let i = at;
    while (i < this.#text.length) {
      const char = this.#text[i]!;
      if (char === '"') {
        i = stringEnd(this.#text, i);
        if (depth === 0) return i;
        continue;
      }
      if (char === '{' || char === '[') depth++;
      else if (char === '}' || char === ']') {
        if (depth === 0) return i;
        if (--depth === 0) return i + 1;
      } else if (char === ',' && depth === 0) return i;
      i++;
    }
    return i;
  }
}

/** The rest of each path below a member of this name. */
function descend(patterns: readonly (readonly string[])[], name: string): (readonly string[])[] {
  const out: (readonly string[])[] = [];
  for (const pattern of patterns) {
    const head = pattern[0];
    if (head === undefined) continue;
    if (head === '**') {
      out.push(pattern);
      for (const rest of descend([pattern.slice(1)], name)) out.push(rest);
    } else if (matchesWildcard(head, name)) out.push(pattern.slice(1));
  }
  return out;
}
