// Steps over the tokens of valid JSON text, for what cuts such text without parsing it.

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
