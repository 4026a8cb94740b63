// What is set for the whole server? Persistent and transient settings, kept in the catalog. (Transient ones outlive a
// restart here: a single node that comes back is the same cluster.)

import type { Settings } from '@octavo/engine';
import { plainText } from '@octavo/engine';

/** Kind and name under which a scope is kept. */
const KIND = 'cluster';

/** Where a setting was made; transient wins. */
export type SettingScope = 'persistent' | 'transient';

/** All settings of a scope, flat. */
export function clusterSettings(settings: Settings, scope: SettingScope): Record<string, string> {
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
export async function keepClusterSettings(
  settings: Settings,
  scope: SettingScope,
  flat: Record<string, string>,
): Promise<void> {
  await settings.put(KIND, scope, flat);
}
