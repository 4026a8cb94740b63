// Wildcard patterns: whether a name matches one, and whether two can match the same name. Linear scans, no
// regular expressions.

/** True if `name` matches `pattern`, where `*` stands for any characters. O(|name| · stars). */
export function matchesWildcard(pattern: string, name: string): boolean {
  return pattern.includes('*') ? fits(pattern.split('*'), name) : pattern === name;
}

/** Whether a name consists of the parts in their order, with any characters between them. REQUIRES: two parts or more. */
function fits(parts: readonly string[], name: string): boolean {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  const end = name.length - last.length;
  for (let i = 1; i < parts.length - 1; i++) {
    const found = name.indexOf(parts[i]!, at);
    if (found < 0 || found + parts[i]!.length > end) return false;
    at = found + parts[i]!.length;
  }
  return true;
}

/** Several patterns for many names: those without `*` are looked up, the others are split once. */
export class Wildcards {
  readonly #names: ReadonlySet<string>;
  readonly #parts: readonly (readonly string[])[];

  constructor(patterns: readonly string[]) {
    this.#names = new Set(patterns.filter((pattern) => !pattern.includes('*')));
    this.#parts = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  }

  /** How many patterns a name may have to be compared with. */
  get comparisons(): number {
    return this.#parts.length;
  }

  matches(name: string): boolean {
    return this.#names.has(name) || this.#parts.some((parts) => fits(parts, name));
  }
}

/** True if `name` matches one of the patterns. */
export function matchesAnyWildcard(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern, name));
}

/** True if some name matches both patterns. O(|a| · |b|). */
export function wildcardsOverlap(a: string, b: string): boolean {
  const reached = new Uint8Array(b.length + 1);
  reached[0] = 1;
  for (let j = 1; j <= b.length && b[j - 1] === '*'; j++) reached[j] = 1;
  for (let i = 1; i <= a.length; i++) {
    let diagonal = reached[0]!;
    const star = a[i - 1] === '*';
    reached[0] = star ? reached[0]! : 0;
    for (let j = 1; j <= b.length; j++) {
      const above = reached[j]!;
      const left = reached[j - 1]!;
      if (star || b[j - 1] === '*')
        reached[j] = (star && above | left) || (b[j - 1] === '*' && above | left) ? 1 : 0;
      else reached[j] = diagonal && a[i - 1] === b[j - 1] ? 1 : 0;
      diagonal = above;
    }
  }
  return reached[b.length] === 1;
}
