// Legacy templates (`_template`): every one that fits a name is applied, the lowest `order` first.

import { EngineError, isObject } from '@octavo/engine';
import { requireMapBody } from '../router/request-body.ts';
import {
  checkPatterns,
  checkTemplateName,
  parsePart,
  parsePatterns,
  readIntegerMember,
  refuseUnusable,
  showPart,
  type TemplateFamily,
} from './parse-template.ts';
import { LEGACY_KIND } from './template-store.ts';

const KEYS = new Set(['index_patterns', 'template', 'order', 'version', 'settings', 'mappings', 'aliases']);

/** `_template`. */
export const LEGACY_TEMPLATES: TemplateFamily = {
  kind: LEGACY_KIND,
  path: '/_template',
  displayName: 'index_template',
  putParams: ['create', 'order', 'cause'],
  parse: (name, call, { limits }, refuseExisting) => {
    const body = requireMapBody(call);
    const patterns = parsePatterns(body['index_patterns'] ?? body['template']);
    for (const key of Object.keys(body)) {
      if (!KEYS.has(key)) throw new EngineError('parse_exception', `unknown key [${key}] in the template `);
    }
    if (patterns === undefined) {
      throw new EngineError(
        'action_request_validation_exception',
        'Validation Failed: 1: index patterns are missing;',
      );
    }
    checkTemplateName(name);
    checkPatterns(name, patterns);
    refuseExisting();
    const order = call.params.integer('order') ?? readIntegerMember(body, 'order') ?? 0;
    const version = readIntegerMember(body, 'version');
    const part = parsePart(body);
    const { settings = {}, mappings = {} } = part;
    if (isObject(mappings))
      refuseUnusable(
        `failed to parse mapping of template [${name}]`,
        settings as Record<string, string>,
        mappings,
        limits,
      );
    return {
      order,
      ...(version !== undefined && { version }),
      index_patterns: patterns,
      settings: {},
      mappings: {},
      aliases: {},
      ...part,
    };
  },
  show: (found, flat) =>
    Object.fromEntries(
      found.map(([name, stored]) => [
        name,
        {
          order: stored['order'] ?? 0,
          ...(stored['version'] !== undefined && { version: stored['version'] }),
          index_patterns: stored['index_patterns'] ?? [],
          ...showPart(stored, flat),
        },
      ]),
    ),
};
