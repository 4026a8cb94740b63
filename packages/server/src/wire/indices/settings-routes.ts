// The `_settings` endpoints of indices.

import { refuseSettings } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { matchesAnyWildcard } from '../../patterns/wildcard.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { CATALOG_SCOPE, CHANGE_SCOPE, describableIndices, indicesOf, WAIT_PARAMS } from '../resolve/scope.ts';
import { requireMapBody } from '../router/request-body.ts';
import type { Call, Reply, ReplySteps, Route, Services } from '../router/route.ts';
import { showSettings } from '../settings/flat-settings.ts';
import { unsetDefaults } from '../settings/index-settings.ts';
import { changesFor, checkUpdate, parseSettingsBody, refuseByState } from './settings-update.ts';
import { fullSettings, SHOW_PARAMS } from './show-index.ts';

function* get(call: Call, services: Services): ReplySteps {
  const flat = call.params.boolean('flat_settings') === true;
  const withDefaults = call.params.boolean('include_defaults') === true;
  const patterns = call.path['name'] === undefined ? undefined : call.path['name'].split(',');
  const all = patterns === undefined || patterns.some((name) => name === '_all' || name === '*');
  const pick = (settings: Record<string, string>): Record<string, string> =>
    all
      ? settings
      : Object.fromEntries(Object.entries(settings).filter(([key]) => matchesAnyWildcard(patterns, key)));
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const info of describableIndices(call, services, CATALOG_SCOPE)) {
    yield;
    const settings = fullSettings(info, call.params.boolean('human') === true);
    const shown = pick(settings);
    const presets = withDefaults ? pick(unsetDefaults(settings, services.limits)) : {};
    if (Object.keys(shown).length === 0 && Object.keys(presets).length === 0) continue;
    out[info.name] = {
      settings: showSettings(shown, flat),
      ...(withDefaults && { defaults: showSettings(presets, flat) }),
    };
  }
  return { body: out };
}

async function put(call: Call, services: Services): Promise<Reply> {
  const flat = parseSettingsBody(requireMapBody(call));
  const infos = indicesOf(call, services, CHANGE_SCOPE);
  checkUpdate(flat);
  for (const info of infos) refuseSettings(info, flat);
  refuseByState(infos, flat);
  const preserve = call.params.boolean('preserve_existing') === true;
  const changes = infos
    .map((info) => [info.name, changesFor(info, flat, preserve)] as const)
    .filter(([, settings]) => Object.keys(settings).length > 0);
  await services.engine.indices.putSettings(Object.fromEntries(changes));
  return { body: { acknowledged: true } };
}

const GET_PARAMS = [...RESOLVE_PARAMS, ...SHOW_PARAMS, 'local', ...WAIT_PARAMS];
const PUT_PARAMS = [...RESOLVE_PARAMS, 'flat_settings', 'preserve_existing', ...WAIT_PARAMS];

/** The rows of this family. */
export const settingsRoutes: readonly Route[] = [
  ...['/_settings', '/_settings/{name}', '/{index}/_settings', '/{index}/_settings/{name}'].map(
    (path): Route => ({ methods: ['GET'], path, params: GET_PARAMS, handle: get }),
  ),
  ...['/_settings', '/{index}/_settings'].map(
    (path): Route => ({ methods: ['PUT'], path, params: PUT_PARAMS, handle: put }),
  ),
];
