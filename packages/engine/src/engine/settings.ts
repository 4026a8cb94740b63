// Where does the wire keep its small things (templates, cluster settings)? In the catalog, under their kinds.

import type { Settings } from '../api.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { JsonValue } from '../json/value.ts';

/** Named JSON documents by kind, each change durable. */
export class CatalogSettings implements Settings {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  get(kind: string, name: string): JsonValue | undefined {
    return this.#catalog.get(`settings.${kind}`, name);
  }

  list(kind: string): ReadonlyMap<string, JsonValue> {
    return this.#catalog.list(`settings.${kind}`);
  }

  async put(kind: string, name: string, value: JsonValue): Promise<void> {
    await this.#catalog.commit([{ put: [`settings.${kind}`, name, value] }]);
  }

  async remove(kind: string, name: string): Promise<boolean> {
    if (this.get(kind, name) === undefined) return false;
    await this.#catalog.commit([{ remove: [`settings.${kind}`, name] }]);
    return true;
  }
}
