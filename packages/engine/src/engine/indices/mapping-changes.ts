// Changes of mappings. A new mapping goes through the catalog first: one that the disk has no room for never
// takes effect. A change of several indices is one catalog commit for all of them or none.

import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogChange } from '../../catalog/manifest-format.ts';
import type { IndexMapping } from '../../mapping/index-mapping.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import { nextTurn, startSliced } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import type { Maintenance } from '../../write/maintenance/maintenance.ts';
import { refuseBlocked } from './index-blocks.ts';

/**
 * Saves a mapping that documents have extended. It may be extended again meanwhile: the caller has to check.
 */
export async function saveMapping(catalog: Catalog, state: IndexState): Promise<void> {
  const { mapping } = state;
  await catalog.commit(print([state]));
  if (state.mapping === mapping) state.markMappingSaved();
}

/** A new mapping of an index. */
interface Change {
  readonly state: IndexState;
  readonly before: Mapping;
  readonly mapping: Mapping;
}

/**
 * Applies `change` to the mappings of indices once the result is saved: to all of them, or none if it throws
 * for one. Each is changed in steps. Returns the indices whose mapping has changed.
 */
export async function changeMappings(
  catalog: Catalog,
  states: readonly IndexState[],
  change: (current: Mapping) => Generator<void, Mapping, undefined>,
): Promise<IndexState[]> {
  for (const { info } of states) refuseBlocked(info, 'change');
  for (let tries = 0; ; tries++) {
    const changes: Change[] = [];
    try {
      for (const state of states) {
        const before = state.mapping;
        changes.push({ state, before, mapping: await startSliced(change(before)) });
      }
    } catch (error) {
      // Save the old mappings again: the new ones have not taken effect.
      if (tries > 0) await catalog.commit(print(states));
      throw error;
    }
    // Documents have extended a mapping meanwhile, or a rollback has reverted it: start over.
    const isOutdated = (): boolean => changes.some(({ state, before }) => state.mapping !== before);
    if (isOutdated()) continue;
    const others = changes.filter(
      ({ state, before, mapping }) => tries > 0 || state.savedMapping !== before || !isSame(mapping, before),
    );
    if (others.length === 0) return [];
    const printed = print(others.map(({ state: { number }, mapping }) => ({ number, mapping })));
    // Printing a large mapping takes a turn, and saving it another one.
    await nextTurn();
    if (isOutdated()) continue;
    await catalog.commit(printed);
    if (isOutdated()) continue;
    for (const { state, mapping } of others) {
      state.mapping = mapping;
      state.markMappingSaved();
    }
    return others.map(({ state }) => state);
  }
}

/**
 * Seals the documents written before a change of the mapping: a replay would map them under the new one. If
 * maintenance is busy the caller does not wait for the seal, but closing the engine does. If it fails, a
 * replay maps the documents again and leaves out values that no longer fit (`DocumentContext.isAccepted`).
 */
export async function sealOldMapping(maintenance: Maintenance, state: IndexState): Promise<void> {
  if (state.tails.every(({ docCount }) => docCount === 0)) return;
  const { isBusy } = maintenance;
  state.noteMappingChange();
  // A failure is reported by maintenance.
  const sealed = maintenance.flush(state).catch(() => {});
  if (!isBusy) await sealed;
}

function isSame(a: Mapping, b: Mapping): boolean {
  if (a === b) return true;
  if ((a as IndexMapping).size !== (b as IndexMapping).size) return false;
  return JSON.stringify(a.toJson()) === JSON.stringify(b.toJson());
}

/** The changes that save mappings of indices by their numbers. */
function print(all: readonly { readonly number: number; readonly mapping: Mapping }[]): CatalogChange[] {
  return all.map(({ number, mapping }) => ({ put: ['mapping', String(number), mapping.toJson()] }));
}
