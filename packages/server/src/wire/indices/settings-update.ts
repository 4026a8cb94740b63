// Checks PUT `_settings`: whether these settings may change, on these indices, in their state.

import {
  EngineError,
  type IndexInfo,
  illegalArgument,
  type JsonObject,
  type JsonValue,
} from '@octavo/engine';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import { type FlatSettings, flattenSettings, withIndexPrefix } from '../settings/flat-settings.ts';
import { findIndexSetting, INDEX_SETTINGS } from '../settings/index-settings.ts';
import { checkValue, refuseUnknown } from '../settings/validate-settings.ts';

/** The settings of a body, flat with full keys, with or without `{"settings": {…}}` around them. */
export function parseSettingsBody(body: JsonObject): FlatSettings {
  const inner: JsonValue | undefined = body['settings'];
  const isWrapped =
    Object.keys(body).length === 1 && typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  const flat = withIndexPrefix(flattenSettings(isWrapped ? inner : body));
  if (Object.keys(flat).length === 0) {
    throw new EngineError(
      'action_request_validation_exception',
      'Validation Failed: 1: no settings to update;',
    );
  }
  return flat;
}

/** Checks names and values. Keys with a star may only remove. */
export function checkUpdate(flat: FlatSettings): void {
  const known = Object.keys(INDEX_SETTINGS).map((name) => `index.${name}`);
  refuseUnknown(
    flat,
    known,
    (key) => findIndexSetting(key) !== undefined || (key.includes('*') && flat[key] === null),
  );
  for (const key of Object.keys(flat)) {
    const row = findIndexSetting(key);
    if (row === undefined) continue;
    if (row.scope === 'private') {
      throw new EngineError(
        'settings_exception',
        `can not update private setting [${key}]; this setting is managed by OpenSearch`,
      );
    }
    const value = flat[key];
    if (value !== null && value !== undefined) checkValue(key, value, row);
  }
}

/** Throws for settings that cannot change in the state of the indices. */
export function refuseByState(infos: readonly IndexInfo[], flat: FlatSettings): void {
  const fixed = Object.keys(flat)
    .filter((key) => (findIndexSetting(key)?.scope ?? 'dynamic') !== 'dynamic')
    .sort();
  if (fixed.length === 0) return;
  const open = infos.filter(({ state }) => state === 'open').map(({ name, uuid }) => `[${name}/${uuid}]`);
  if (open.length > 0) {
    throw illegalArgument(
      `Can't update non dynamic settings [[${fixed.join(', ')}]] for open indices [${open.join(', ')}]`,
    );
  }
  const final = fixed.find((key) => findIndexSetting(key)?.scope === 'final');
  if (final === undefined || infos.length === 0) return;
  throw new EngineError('settings_exception', `final ${infos[0]!.name} setting [${final}], not updateable`);
}

/** The changes for one index: removals by pattern as single keys; with `preserve` no key that is set. */
export function changesFor(
  info: IndexInfo,
  flat: FlatSettings,
  preserve: boolean,
): Record<string, string | null> {
  const out: Record<string, string | null> = {};
  for (const key of Object.keys(flat)) {
    if (key.includes('*')) {
      for (const own of Object.keys(info.settings))
        if (matchesWildcard(key, own) && isRemovable(own)) out[own] = null;
    } else if (!(preserve && Object.hasOwn(info.settings, key))) {
      out[key] = flat[key] ?? resetValue(key);
    }
  }
  return out;
}

function isRemovable(key: string): boolean {
  return findIndexSetting(key)?.scope === 'dynamic' && resetValue(key) === null;
}

/** The value of a removed setting: the number of replicas goes back to its preset, others are unset. */
function resetValue(key: string): string | null {
  return key === 'index.number_of_replicas' ? INDEX_SETTINGS['number_of_replicas']!.preset : null;
}
