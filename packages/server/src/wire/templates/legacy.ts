// `_template`: the older kind, of which every one that fits is applied.

import { EngineError, illegalArgument, type JsonObject } from '@octavo/engine';
import { requiredMapBody } from '../indices/map-body.ts';
import { WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { namesFitting } from './names.ts';
import {
  checkPatterns,
  checkTemplateName,
  integerOf,
  parsePart,
  parsePatterns,
  refuseUnusable,
  showPart,
} from './parse-template.ts';
import { isObject, LEGACY_KIND } from './template-store.ts';

const KEYS = new Set(['index_patterns', 'template', 'order', 'version', 'settings', 'mappings', 'aliases']);

async function put(call: Call, { engine, limits }: Services): Promise<Reply> {
  const name = call.path['name']!;
  const body = requiredMapBody(call);
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
  if (call.params.boolean('create') === true && engine.settings.get(LEGACY_KIND, name) !== undefined) {
    throw illegalArgument(`index_template [${name}] already exists`);
  }
  const order = call.params.integer('order') ?? integerOf(body, 'order') ?? 0;
  const version = integerOf(body, 'version');
  const part = parsePart(body);
  const { settings = {}, mappings = {} } = part;
  if (isObject(mappings))
    refuseUnusable(
      `failed to parse mapping of template [${name}]`,
      settings as Record<string, string>,
      mappings,
      limits,
    );
  await engine.settings.put(LEGACY_KIND, name, {
    order,
    ...(version !== undefined && { version }),
    index_patterns: patterns,
    settings: {},
    mappings: {},
    aliases: {},
    ...part,
  });
  return { body: { acknowledged: true } };
}

function get(call: Call, { engine }: Services): Reply {
  const all = engine.settings.list(LEGACY_KIND);
  const flat = call.params.boolean('flat_settings') === true;
  const asked = call.path['name'];
  const out: JsonObject = Object.create(null) as JsonObject;
  for (const name of namesFitting(all.keys(), asked)) {
    const kept = all.get(name);
    if (!isObject(kept)) continue;
    out[name] = {
      order: kept['order'] ?? 0,
      ...(kept['version'] !== undefined && { version: kept['version'] }),
      index_patterns: kept['index_patterns'] ?? [],
      ...showPart(kept, flat),
    };
  }
  return { status: asked !== undefined && Object.keys(out).length === 0 ? 404 : 200, body: out };
}

async function remove(call: Call, { engine }: Services): Promise<Reply> {
  const asked = call.path['name']!;
  const names = namesFitting(engine.settings.list(LEGACY_KIND).keys(), asked);
  if (names.length === 0 && asked !== '*') throw templateMissing(asked);
  for (const name of names) await engine.settings.remove(LEGACY_KIND, name);
  return { body: { acknowledged: true } };
}

/** The peer's error for a template that is not there. */
export function templateMissing(name: string): EngineError {
  return new EngineError('index_template_missing_exception', `index_template [${name}] missing`);
}

const GET_PARAMS = ['flat_settings', 'local', ...WAIT_PARAMS];

/** `_template`. */
export const legacyRoutes: readonly Route[] = [
  { methods: ['GET'], path: '/_template', params: GET_PARAMS, handle: get },
  { methods: ['GET', 'HEAD'], path: '/_template/{name}', params: GET_PARAMS, handle: get },
  {
    methods: ['PUT', 'POST'],
    path: '/_template/{name}',
    params: ['create', 'order', 'cause', ...WAIT_PARAMS],
    handle: put,
  },
  { methods: ['DELETE'], path: '/_template/{name}', params: WAIT_PARAMS, handle: remove },
];
