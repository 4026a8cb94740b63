// An index as GET /{index} shows it: settings with the identity that the engine gives it, aliases, mappings.

import { type IndexInfo, PRESET_SETTINGS } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { showAliases } from '../aliases/alias-spec.ts';
import type { Call, Services } from '../router/route.ts';
import { showSettings } from '../settings/flat-settings.ts';
import { unsetDefaults } from '../settings/index-settings.ts';
import { shownMappings } from './field-mappings.ts';

/** The version number that the peer's 3.1.0 writes into `index.version.created`. */
const VERSION_CREATED = '137227827';

/** The settings of an index, flat: those of the catalog with uuid, creation date, name and version. */
export function fullSettings(info: IndexInfo, human = false): Record<string, string> {
  return {
    ...PRESET_SETTINGS,
    'index.replication.type': 'DOCUMENT',
    ...info.settings,
    'index.uuid': info.uuid,
    'index.creation_date': String(info.createdAt),
    'index.provided_name': info.settings['index.provided_name'] ?? info.name,
    'index.version.created': VERSION_CREATED,
    ...(info.state === 'close' && { 'index.verified_before_close': 'true' }),
    ...(human && {
      'index.creation_date_string': new Date(info.createdAt).toISOString(),
      'index.version.created_string': '3.1.0',
    }),
  };
}

/** Parameters that `showIndex` and GET _settings read. */
export const SHOW_PARAMS: readonly string[] = ['flat_settings', 'include_defaults'];

/** One entry of GET /{index}. */
export function showIndex(info: IndexInfo, call: Call, { limits }: Services): ReplyObject {
  const flat = call.params.boolean('flat_settings') === true;
  const settings = fullSettings(info, call.params.boolean('human') === true);
  return {
    aliases: showAliases(info.aliases),
    mappings: shownMappings(info.mappings),
    settings: showSettings(settings, flat),
    ...(call.params.boolean('include_defaults') && {
      defaults: showSettings(unsetDefaults(settings, limits), flat),
    }),
  };
}
