// Which methods does this path have? Asked only when no route was found: 405 with `Allow`, or 404.

/** The paths of the application API with their methods. */
export class Paths {
  readonly #methods = new Map<string, Set<string>>();

  /** `url` in Fastify's form: `/api/chats/:chat/messages`. */
  add(methods: string | readonly string[], url: string): void {
    const known = this.#methods.get(url) ?? new Set();
    for (const method of typeof methods === 'string' ? [methods] : methods) known.add(method);
    this.#methods.set(url, known);
  }

  /** Methods of all routes that the path fits, with OPTIONS; empty where there is no such path. O(routes). */
  allowed(path: string): string[] {
    const segments = segmentsOf(path);
    const found = new Set<string>();
    for (const [url, methods] of this.#methods) {
      if (fits(segmentsOf(url), segments)) for (const method of methods) found.add(method);
    }
    return found.size === 0 ? [] : [...found, 'OPTIONS'].sort();
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

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]));
}
