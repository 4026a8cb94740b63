// Spreads compact JSON over lines for `?pretty`, as the peer does, without changing a token.

import { skipSpace, stringEnd } from '../patterns/json-text.ts';

const INDENT = '  ';

/** Valid JSON on several lines: two spaces a level, ` : ` between name and value, `[ ]` and `{ }` for empty ones. */
export function prettyJson(text: string): string {
  return `${new PrettyPrinter().print(text)}\n`;
}

/** Spreads JSON that comes in parts, each of which ends between two tokens. */
export class PrettyPrinter {
  #depth = 0;
  /** The bracket that was opened last, if nothing has followed it. */
  #opened = '';

  /** The next part. The text is printed without the line end behind it. */
  print(text: string): string {
    let out = '';
    let at = skipSpace(text, 0);
    while (at < text.length) {
      const char = text[at]!;
      const isEnd = char === '}' || char === ']';
      if (this.#opened !== '') {
        if (!isEnd) this.#depth++;
        out += isEnd ? `${this.#opened} ` : this.#opened + this.#line();
        this.#opened = '';
        if (isEnd) {
          out += char;
          at = skipSpace(text, at + 1);
          continue;
        }
      }
      if (char === '"') {
        const end = stringEnd(text, at);
        out += text.slice(at, end);
        at = skipSpace(text, end);
        continue;
      }
      if (char === '{' || char === '[') this.#opened = char;
      else if (isEnd) {
        this.#depth--;
        out += this.#line() + char;
      } else if (char === ',') out += char + this.#line();
      else out += char === ':' ? ' : ' : char;
      at = skipSpace(text, at + 1);
    }
    return out;
  }

  #line(): string {
    return `\n${INDENT.repeat(this.#depth)}`;
  }
}
