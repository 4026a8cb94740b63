// Converts the regular expressions of the tests (Java syntax, often with free spacing and comments) to
// JavaScript.

/** `/…/` without its slashes. With `free`, spaces and `# comments` outside brackets are left out. */
export function toRegExp(source: string, free: boolean): RegExp {
  let out = '';
  let inBrackets = false;
  for (let i = 0; i < source.length; i++) {
    const c = source[i] ?? '';
    if (c === '\\') out += escaped(source[++i] ?? '');
    else if (inBrackets) {
      inBrackets = c !== ']';
      out += c === '[' ? '\\[' : c;
    } else if (free && /\s/.test(c)) continue;
    else if (free && c === '#') {
      while (i + 1 < source.length && source[i + 1] !== '\n') i++;
    } else if (c === '[') {
      inBrackets = true;
      out += c;
    } else if (c === '$') out += '(?=\\r?\\n?$)';
    else out += c;
  }
  return new RegExp(out, out.includes('\\p{') ? 'u' : '');
}

function escaped(c: string): string {
  if (c === 'A') return '^';
  if (c === 'z' || c === 'Z') return '$';
  return /[A-Za-z0-9^$\\.*+?()[\]{}|/-]/.test(c) ? `\\${c}` : c;
}

/** The inside of `/…/`; undefined if the text is not a pattern. */
export function patternIn(text: string): string | undefined {
  return /^\s*\/([\s\S]+)\/\s*$/.exec(text)?.[1];
}
