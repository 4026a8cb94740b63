// What is set for the whole server? Persistent settings, kept in the catalog, and transient ones, which end with the
// process: a full restart of the peer's cluster forgets them as well.

import type { Settings } from '@octavo/engine';
import { plainText } from '@octavo/engine';

/** Kind and name under which a scope is kept. */
const KIND = 'cluster';

/** Transient settings, by the settings of the engine that they are for. */
const transient = new WeakMap<Settings, Record<string, string>>();

/** Where a setting was made; transient wins. */
export type SettingScope = 'persistent' | 'transient';

/** All settings of a scope, flat. */
export function clusterSettings(settings: Settings, scope: SettingScope): Record<string, string> {
  if (scope === 'transient') return { ...transient.get(settings) };
  const kept = settings.get(KIND, scope);
  const out: Record<string, string> = {};
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return out;
  for (const key of Object.keys(kept)) out[key] = plainText(kept[key]);
  return out;
}

/** The value that holds; undefined where nothing is set. */
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
