// The methods of each path, for 405 with `Allow` or 404 when no route matches.

export class PathTable {
  readonly #methods = new Map<string, Set<string>>();

  /** `url` in Fastify's form: `/api/chats/:chat/messages`. */
  add(methods: string | readonly string[], url: string): void {
    const known = this.#methods.get(url) ?? new Set();
    for (const method of typeof methods === 'string' ? [methods] : methods) known.add(method);
    this.#methods.set(url, known);
  }

  /** The methods of the most literal matching pattern, with OPTIONS; empty without a match. O(routes). */
  allowed(path: string): string[] {
    const segments = segmentsOf(path);
    const fitting = [...this.#methods].filter(([url]) => matchesSegments(segmentsOf(url), segments));
    if (fitting.length === 0) return [];
    const variables = ([url]: readonly [string, unknown]): number => url.split('/:').length;
    const [, methods] = fitting.reduce((best, each) => (variables(each) < variables(best) ? each : best));
    return [...methods, 'OPTIONS'].sort();
  }

  /** All paths, in Fastify's form. */
  all(): string[] {
    return [...this.#methods.keys()].sort();
  }
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function matchesSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]));
}
