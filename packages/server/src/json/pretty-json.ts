// Spreads compact JSON over lines for `?pretty`, as the peer does, without changing a token.

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

/** The offset behind the string that begins at `at`. */
export function stringEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** The offset of the next character that is not white space. */
export function skipSpace(text: string, at: number): number {
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}
