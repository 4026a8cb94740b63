// How does another mapping become that of an index? By way of the catalog: one that the disk has no room for has never been.

import type { Catalog } from '../catalog/catalog.ts';
import type { Mapping } from '../mapping/type.ts';
import type { IndexState } from '../write/index-state.ts';
import type { Maintenance } from '../write/maintenance.ts';
import { refuseBlocked } from './blocks.ts';

/** Saves a mapping that documents have extended; whether it is the newest then, the caller has to see. */
export async function saveMapping(catalog: Catalog, state: IndexState): Promise<void> {
  const { mapping } = state;
  await commit(catalog, state, mapping);
  if (state.mapping === mapping) state.mappingSaved();
}

/** Gives an index what `change` makes of its mapping, once that is saved; false where it says what it said before. */
export async function changeMapping(
  catalog: Catalog,
  state: IndexState,
  change: (current: Mapping) => Mapping,
): Promise<boolean> {
  refuseBlocked(state.info, 'change');
  for (;;) {
    const { mapping } = state;
    const changed = change(mapping);
    if (state.savedMapping === mapping && isSame(changed, mapping)) return false;
    await commit(catalog, state, changed);
    // Else documents have extended it meanwhile, or some that had are taken back.
    if (state.mapping !== mapping) continue;
    state.mapping = changed;
    state.mappingSaved();
    return true;
  }
}

/**
 * Seals what was written before the mapping was changed: at the next start it would be read again, under another mapping than the
 * one that took it. Behind a merge that is under way nobody waits for that, but the end of the engine does. Where there is no
 * room for it, or no time, it is read again, and values that no longer fit are left out (`DocContext.isKept`).
 */
export async function sealBehind(maintenance: Maintenance, state: IndexState): Promise<void> {
  if (state.tails.every(({ docCount }) => docCount === 0)) return;
  const { isBusy } = maintenance;
  state.readOtherwise();
  // Why it could not be is for others to tell.
  const sealed = maintenance.flush(state).catch(() => {});
  if (!isBusy) await sealed;
}

function isSame(a: Mapping, b: Mapping): boolean {
  return a === b || JSON.stringify(a.toJson()) === JSON.stringify(b.toJson());
}

function commit(catalog: Catalog, { number }: IndexState, mapping: Mapping): Promise<void> {
  return catalog.commit([{ put: ['mapping', String(number), mapping.toJson()] }]);
}
