// Spreads compact JSON over lines for `?pretty`, as the peer does, without changing a token.

import { skipSpace, stringEnd } from '../patterns/json-text.ts';

const INDENT = '  ';

/** Valid JSON on several lines: two spaces a level, ` : ` between name and value, `[ ]` and `{ }` for empty ones. */
export function prettyJson(text: string): string {
  let out = '';
  let depth = 0;
  let at = 0;
  const line = (): string => `\n${INDENT.repeat(depth)}`;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '"') {
      const end = stringEnd(text, at);
      out += text.slice(at, end);
      at = end;
      continue;
    }
    at++;
    if (char === '{' || char === '[') {
      const next = skipSpace(text, at);
      if (text[next] === '}' || text[next] === ']') {
        out += `${char} ${text[next]}`;
        at = next + 1;
      } else {
        depth++;
        out += char + line();
      }
    } else if (char === '}' || char === ']') {
      depth--;
      out += line() + char;
    } else if (char === ',') out += char + line();
    else if (char === ':') out += ' : ';
    else if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') out += char;
  }
  return `${out}\n`;
}
