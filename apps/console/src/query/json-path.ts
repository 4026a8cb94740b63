// Where a position of an unfinished JSON text is: the names of the members that it lies in.

/**
 * The names around the end of `text`, the outermost first; elements of arrays have no name of their own. `isValue` is true behind a
 * colon. O(n), without a parse: the text is being written.
 */
export function jsonPath(text: string): { readonly path: readonly string[]; readonly isValue: boolean } {
  /** One entry for each open brace or bracket: the member that it is the value of. */
  const open: (string | undefined)[] = [];
  let name: string | undefined;
  let isValue = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = stringEnd(text, at);
      // An open string at the end is the word that is being completed.
      if (end === undefined) break;
      if (!isValue) name = text.slice(at + 1, end);
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(isValue ? name : undefined);
      isValue = false;
      name = undefined;
    } else if (character === '}' || character === ']') {
      open.pop();
      isValue = false;
    } else if (character === ':') isValue = true;
    else if (character === ',') isValue = false;
  }
  const path = open.filter((each) => each !== undefined);
  return { path: isValue && name !== undefined ? [...path, name] : path, isValue };
}

/** The position of the quote that ends a string; undefined if it is open. */
function stringEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
    else if (text[at] === '\n') return undefined;
  }
  return undefined;
}
