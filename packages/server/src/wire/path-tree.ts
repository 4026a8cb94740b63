// Which endpoint does a path mean? A tree of path segments: literal segments win over variables, with a step back
// where the literal leads nowhere, so that `/{index}/{type}/{id}` and `/{index}/_doc/{id}` live side by side.

import type { Route } from './route.ts';

interface Node {
  readonly literals: Map<string, Node>;
  variable: Node | undefined;
  readonly routes: Route[];
}

/** A path found: the route, or the methods that the path has. */
export type Found =
  | { readonly route: Route; readonly path: Readonly<Record<string, string>> }
  | { readonly route: undefined; readonly allowed: readonly string[] };

/** All routes by path. */
export class PathTree {
  readonly #root: Node = newNode();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  /** `segments`: decoded, without the leading and a trailing empty one. */
  find(method: string, segments: readonly string[]): Found {
    const allowed = new Set<string>();
    const route = search(this.#root, method, segments, 0, allowed);
    if (route === undefined) return { route, allowed: [...allowed] };
    return { route, path: variables(route.path, segments) };
  }

  #add(route: Route): void {
    let node = this.#root;
    for (const segment of split(route.path)) {
      if (segment.startsWith('{')) node = node.variable ??= newNode();
      else {
        let next = node.literals.get(segment);
        if (next === undefined) {
          next = newNode();
          node.literals.set(segment, next);
        }
        node = next;
      }
    }
    node.routes.push(route);
  }
}

function search(
  node: Node,
  method: string,
  segments: readonly string[],
  depth: number,
  allowed: Set<string>,
): Route | undefined {
  if (depth === segments.length) {
    for (const route of node.routes) {
      if (!admits(route, segments)) continue;
      if ((route.methods as readonly string[]).includes(method)) return route;
      for (const each of route.methods) allowed.add(each);
    }
    return undefined;
  }
  const segment = segments[depth]!;
  const literal = node.literals.get(segment);
  const found = literal && search(literal, method, segments, depth + 1, allowed);
  if (found !== undefined) return found;
  if (node.variable === undefined || segment === '') return undefined;
  return search(node.variable, method, segments, depth + 1, allowed);
}

/**
 * Typed paths never begin with an underscore, nor do types: `/books/_foo` and `/_foo/bar` are unknown endpoints, not
 * the type `_foo` or an index of that name.
 */
function admits(route: Route, segments: readonly string[]): boolean {
  if (!route.path.startsWith('/{index}/{type}')) return true;
  return !segments[0]!.startsWith('_') && !segments[1]!.startsWith('_');
}

function variables(path: string, segments: readonly string[]): Record<string, string> {
  const out: Record<string, string> = {};
  split(path).forEach((part, i) => {
    if (part.startsWith('{')) out[part.slice(1, -1)] = segments[i]!;
  });
  return out;
}

function split(path: string): string[] {
  return path === '/' ? [] : path.slice(1).split('/');
}

function newNode(): Node {
  return { literals: new Map(), variable: undefined, routes: [] };
}
