// The table of cluster settings: those that this server obeys. Any other is refused, as the peer refuses settings that it does not
// know: one that is stored and does nothing would be taken for protection.

import type { SettingSpec } from './index-settings.ts';

type Row = Pick<SettingSpec, 'kind' | 'preset' | 'min'>;

/** Settings by full name. */
export const CLUSTER_SETTINGS: Readonly<Record<string, Row>> = {
  'action.auto_create_index': { kind: 'text', preset: 'true' },
  'action.destructive_requires_name': { kind: 'boolean', preset: 'false' },
  'point_in_time.max_keep_alive': { kind: 'time', preset: '24h', min: 1 },
  'search.max_buckets': { kind: 'integer', preset: '65535', min: 0 },
  'search.max_keep_alive': { kind: 'time', preset: '24h', min: 1 },
};

/** The setting of a key; undefined for an unknown key. */
export function findClusterSetting(key: string): SettingSpec | undefined {
  return Object.hasOwn(CLUSTER_SETTINGS, key) ? { scope: 'dynamic', ...CLUSTER_SETTINGS[key]! } : undefined;
}
