// The cluster settings that are set: persistent ones in the catalog, transient ones in memory, which end with
// the process. The peer loses its transient settings by a full restart, too.

import type { Settings } from '@octavo/engine';
import { plainText } from '@octavo/engine';

/** Kind of the catalog under which persistent settings are stored. */
const KIND = 'cluster';

/** Transient settings by engine. */
const transient = new WeakMap<Settings, Record<string, string>>();

/** The two scopes of a setting; transient wins. */
export type SettingScope = 'persistent' | 'transient';

/** All settings of a scope, flat. */
export function clusterSettings(settings: Settings, scope: SettingScope): Record<string, string> {
  if (scope === 'transient') return { ...transient.get(settings) };
  const stored = settings.get(KIND, scope);
  const out: Record<string, string> = {};
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return out;
  for (const key of Object.keys(stored)) out[key] = plainText(stored[key]);
  return out;
}

/** The effective value; undefined if none is set. */
export function clusterSetting(settings: Settings, key: string): string | undefined {
  return clusterSettings(settings, 'transient')[key] ?? clusterSettings(settings, 'persistent')[key];
}

/** Replaces all settings of a scope. */
export async function saveClusterSettings(
  settings: Settings,
  scope: SettingScope,
  flat: Record<string, string>,
): Promise<void> {
  if (scope === 'transient') transient.set(settings, flat);
  else await settings.put(KIND, scope, flat);
}
