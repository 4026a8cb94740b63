// Finds the route of a path, by find-my-way: literal segments win over variables, with a step back where the
// literal leads nowhere, so that `/{index}/{type}/{id}` and `/{index}/_doc/{id}` can both exist.

import findMyWay, { type HTTPMethod } from 'find-my-way';
import { decodePercent } from './query-params.ts';
import type { Route } from './route.ts';

/** The route of a path with its variables, decoded; or the methods that the path has, none if it is unknown. */
type RouteMatch =
  | { readonly route: Route; readonly path: Readonly<Record<string, string>> }
  | { readonly route: undefined; readonly allowed: readonly string[] };

const SLASH = 0x2f;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'QUERY'] as const;

/** All routes by path. */
export class RouteTable {
  // Ids of scrolls and lists of indices may fill a request line.
  readonly #router = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
      // Node has QUERY; the types of find-my-way do not.
      this.#router.on(route.methods as unknown as HTTPMethod[], path, neverCalled, route);
    }
  }

  /**
   * `uri` is the path as it came; slashes at its end are ignored. Throws `bad_parameter_exception` for malformed percent escapes.
   */
  find(method: string, uri: string): RouteMatch {
    decodePercent(uri);
    let end = uri.length;
    while (end > 1 && uri.charCodeAt(end - 1) === SLASH) end--;
    // find-my-way ends a path at `#`, which a client may send unescaped.
    const path = uri.slice(0, end).replaceAll('#', '%23');
    const found = this.#match(method, path);
    if (found !== undefined) return found;
    const allowed = METHODS.flatMap((each) => this.#match(each, path)?.route.methods ?? []);
    return { route: undefined, allowed: [...new Set(allowed)] };
  }

  #match(method: string, path: string): (RouteMatch & { readonly route: Route }) | undefined {
    const found = this.#router.find(method as HTTPMethod, path);
    if (found === null) return undefined;
    const route = found.store as Route;
    const variables = found.params as Record<string, string>;
    return admits(route, variables) ? { route, path: variables } : undefined;
  }
}

/**
 * No variable is empty. In typed paths neither index nor type begins with an underscore: `/books/_foo` and `/_foo/bar` are unknown
 * endpoints, not a type `_foo` or an index `_foo`.
 */
function admits(route: Route, variables: Readonly<Record<string, string>>): boolean {
  if (Object.values(variables).includes('')) return false;
  if (!route.path.startsWith('/{index}/{type}')) return true;
  return !variables['index']!.startsWith('_') && !variables['type']!.startsWith('_');
}

function neverCalled(): void {}
