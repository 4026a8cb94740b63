// The `_cluster/settings` endpoints.

import { EngineError, isObject, type JsonObject } from '@octavo/engine';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import { WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { CLUSTER_SETTINGS, findClusterSetting } from '../settings/cluster-settings.ts';
import {
  clusterSettings,
  type SettingScope,
  saveClusterSettings,
} from '../settings/cluster-settings-store.ts';
import { type FlatSettings, flattenSettings, showSettings } from '../settings/flat-settings.ts';
import { checkValue, refuseUnknown } from '../settings/validate-settings.ts';
import { checkAutoCreate } from '../templates/index-defaults.ts';

const SCOPES: readonly SettingScope[] = ['persistent', 'transient'];

function get(call: Call, { engine, options, limits }: Services): Reply {
  const flat = call.params.boolean('flat_settings') === true;
  const own = SCOPES.map((scope) => clusterSettings(engine.settings, scope));
  const body: JsonObject = {
    persistent: showSettings(own[0]!, flat),
    transient: showSettings(own[1]!, flat),
  };
  if (call.params.boolean('include_defaults') === true) {
    const set = { ...own[0], ...own[1] };
    const presets: Record<string, string> = {
      'cluster.name': options.clusterName,
      'node.name': options.nodeName,
    };
    const ofLimits: Readonly<Record<string, string>> = {
      'indices.query.bool.max_clause_count': String(limits.clauses),
      'point_in_time.max_keep_alive': hours(limits.keepAliveMaxMs),
      'search.max_keep_alive': hours(limits.keepAliveMaxMs),
    };
    for (const key of Object.keys({ ...CLUSTER_SETTINGS, ...ofLimits })) {
      if (!Object.hasOwn(set, key)) presets[key] = ofLimits[key] ?? CLUSTER_SETTINGS[key]!.preset;
    }
    body['defaults'] = showSettings(presets, flat);
  }
  return { body };
}

const HOUR_MS = 3_600_000;

/** Whole hours as the peer shows them. */
function hours(millis: number): string {
  return millis % HOUR_MS === 0 ? `${millis / HOUR_MS}h` : `${millis}ms`;
}

async function put(call: Call, { engine }: Services): Promise<Reply> {
  if (!call.hasBody) throw new EngineError('parse_exception', 'request body is required');
  const body = call.object();
  const requested = new Map<SettingScope, FlatSettings>();
  for (const key of Object.keys(body)) {
    const scope = SCOPES.find((each) => each === key);
    const given = body[key];
    // The peer ignores unknown members here; a body without known ones is refused below.
    if (scope === undefined) continue;
    if (!isObject(given)) {
      throw new EngineError(
        'x_content_parse_exception',
        `[1:1] [cluster_update_settings_request] [${key}] must be an object`,
      );
    }
    requested.set(scope, flattenSettings(given));
  }
  if ([...requested.values()].every((flat) => Object.keys(flat).length === 0)) {
    throw new EngineError(
      'action_request_validation_exception',
      'Validation Failed: 1: no settings to update;',
    );
  }
  for (const flat of requested.values()) check(flat);
  const reply: JsonObject = { acknowledged: true, persistent: {}, transient: {} };
  const isFlat = call.params.boolean('flat_settings') === true;
  // Persistent ones first: the others are kept in memory, which is never full.
  for (const scope of SCOPES) {
    const flat = requested.get(scope);
    if (flat === undefined) continue;
    const after = applied(clusterSettings(engine.settings, scope), flat);
    await saveClusterSettings(engine.settings, scope, after);
    const changed = Object.fromEntries(
      Object.keys(flat).flatMap((key) => (after[key] === undefined ? [] : [[key, after[key]]])),
    );
    reply[scope] = showSettings(changed, isFlat);
  }
  return { body: reply };
}

function check(flat: FlatSettings): void {
  // An earlier version may have stored one that is unknown now.
  const isRemoval = (key: string): boolean => flat[key] === null;
  refuseUnknown(
    flat,
    Object.keys(CLUSTER_SETTINGS),
    (key) => isRemoval(key) || findClusterSetting(key) !== undefined,
  );
  for (const key of Object.keys(flat)) {
    const value = flat[key];
    if (value === null || value === undefined) continue;
    checkValue(key, value, findClusterSetting(key)!);
    if (key === 'action.auto_create_index') checkAutoCreate(value);
  }
}

/** The settings after the changes; null removes, also by pattern. */
function applied(settings: Record<string, string>, changes: FlatSettings): Record<string, string> {
  const out = { ...settings };
  for (const key of Object.keys(changes)) {
    const value = changes[key];
    if (value !== null && value !== undefined) out[key] = value;
    else for (const own of Object.keys(out)) if (matchesWildcard(key, own)) delete out[own];
  }
  return out;
}

/** The rows of this family. */
export const clusterSettingsRoutes: readonly Route[] = [
  {
    methods: ['GET'],
    path: '/_cluster/settings',
    params: ['flat_settings', 'include_defaults', 'local', ...WAIT_PARAMS],
    handle: get,
  },
  { methods: ['PUT'], path: '/_cluster/settings', params: ['flat_settings', ...WAIT_PARAMS], handle: put },
];
