// Where does the wire keep its small things (templates, cluster settings)? In the catalog, under their kinds.

import type { Settings } from '../../api.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { JsonValue } from '../../json/value.ts';

const PREFIX = 'settings.';

/** Named JSON documents by kind, each change durable. */
export class CatalogSettings implements Settings {
  readonly #catalog: Catalog;
  readonly #changed: (kind: string, name: string, value: JsonValue | undefined) => void;

  /** `changed` is told of each change before its caller is. */
  constructor(
    catalog: Catalog,
    changed: (kind: string, name: string, value: JsonValue | undefined) => void = () => {},
  ) {
    this.#catalog = catalog;
    this.#changed = changed;
  }

  /** All of them. */
  *all(): Generator<{ readonly kind: string; readonly name: string; readonly value: JsonValue }> {
    for (const kind of this.#catalog.kinds()) {
      if (!kind.startsWith(PREFIX)) continue;
      for (const [name, value] of this.#catalog.list(kind))
        yield { kind: kind.slice(PREFIX.length), name, value };
    }
  }

  get(kind: string, name: string): JsonValue | undefined {
    return this.#catalog.get(PREFIX + kind, name);
  }

  list(kind: string): ReadonlyMap<string, JsonValue> {
    return this.#catalog.list(PREFIX + kind);
  }

  async put(kind: string, name: string, value: JsonValue): Promise<void> {
    await this.#catalog.commit([{ put: [PREFIX + kind, name, value] }]);
    this.#changed(kind, name, value);
  }

  async remove(kind: string, name: string): Promise<boolean> {
    if (this.get(kind, name) === undefined) return false;
    await this.#catalog.commit([{ remove: [PREFIX + kind, name] }]);
    this.#changed(kind, name, undefined);
    return true;
  }
}
