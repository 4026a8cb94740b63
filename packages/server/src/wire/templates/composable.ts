// `_index_template` and `_component_template`: one template an index, composed of components.

import { EngineError, illegalArgument, type JsonObject, type JsonValue, plainNumber } from '@octavo/engine';
import { wildcardsOverlap } from '../../patterns/wildcard.ts';
import { WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { applyTemplates } from './apply.ts';
import { templateMissing } from './legacy.ts';
import { namesFitting } from './names.ts';
import {
  checkPatterns,
  checkTemplateName,
  integerOf,
  parsePart,
  parsePatterns,
  refuseUnusable,
  showPart,
} from './parse.ts';
import {
  COMPONENT_KIND,
  COMPOSABLE_KIND,
  isObject,
  readComposable,
  readTemplates,
  strings,
} from './store.ts';

/** What differs between the two families. */
interface Family {
  readonly kind: string;
  /** Path, and member names of the reply: `index_template` → `index_templates: [{name, index_template}]`. */
  readonly word: string;
  readonly spoken: string;
  readonly keys: ReadonlySet<string>;
}

const COMPOSABLE: Family = {
  kind: COMPOSABLE_KIND,
  word: 'index_template',
  spoken: 'index template',
  keys: new Set(['index_patterns', 'template', 'composed_of', 'priority', 'version', '_meta', 'data_stream']),
};

const COMPONENT: Family = {
  kind: COMPONENT_KIND,
  word: 'component_template',
  spoken: 'component template',
  keys: new Set(['template', 'version', '_meta']),
};

/** The body of a composable template in the form in which it is kept. Throws what the peer throws. */
export function parseComposable(name: string, body: JsonObject, { engine, limits }: Services): JsonObject {
  refuseUnknownKeys(COMPOSABLE, body);
  if (isObject(body['data_stream']))
    throw illegalArgument('data streams are not supported: leave out [data_stream]');
  const patterns = parsePatterns(body['index_patterns']);
  if (patterns === undefined) throw illegalArgument('Required [index_patterns]');
  checkTemplateName(name);
  checkPatterns(name, patterns);
  const composedOf = body['composed_of'];
  const components = strings(composedOf);
  const missing = components.filter((id) => engine.settings.get(COMPONENT_KIND, id) === undefined);
  if (missing.length > 0) {
    throw new EngineError(
      'invalid_index_template_exception',
      `index_template [${name}] invalid, cause [index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist]`,
    );
  }
  const priority = integerOf(body, 'priority');
  refuseRival(name, patterns, priority ?? 0, engine.settings.list(COMPOSABLE_KIND));
  const kept: JsonObject = {
    index_patterns: patterns,
    ...(isObject(body['template']) && { template: parsePart(checkedTemplate(body['template'])) }),
    composed_of: components,
    ...(priority !== undefined && { priority }),
    ...versionAndMeta(body),
  };
  const { components: parts } = readTemplates(engine.settings);
  const composable = new Map([[name, { ...readComposable(kept), patterns: ['*'] }]]);
  const { settings, mappings } = applyTemplates(
    name,
    { legacy: new Map(), composable, components: parts },
    NOTHING,
  );
  const what = `composable template [${name}] template after composition is invalid`;
  refuseUnusable(what, settings, mappings, limits);
  return kept;
}

const NOTHING = { settings: {}, mappings: {}, aliases: {} };

function refuseUnknownKeys(family: Family, body: JsonObject): void {
  for (const key of Object.keys(body)) {
    if (family.keys.has(key)) continue;
    throw new EngineError('x_content_parse_exception', `[1:1] [${family.word}] unknown field [${key}]`);
  }
}

function checkedTemplate(template: JsonObject): JsonObject {
  for (const key of Object.keys(template)) {
    if (key === 'settings' || key === 'mappings' || key === 'aliases') continue;
    throw new EngineError('x_content_parse_exception', `[1:1] [template] unknown field [${key}]`);
  }
  return template;
}

function versionAndMeta(body: JsonObject): JsonObject {
  const version = integerOf(body, 'version');
  return {
    ...(version !== undefined && { version }),
    ...(isObject(body['_meta']) && { _meta: body['_meta'] }),
  };
}

/** Two templates of the same priority may not fit the same name. */
function refuseRival(
  name: string,
  patterns: readonly string[],
  priority: number,
  kept: ReadonlyMap<string, JsonValue>,
): void {
  const rivals = [...kept].filter(([id, other]) => {
    if (id === name || !isObject(other) || plainNumber(other['priority'] ?? 0) !== priority) return false;
    return strings(other['index_patterns']).some((theirs) =>
      patterns.some((ours) => wildcardsOverlap(ours, theirs)),
    );
  });
  if (rivals.length === 0) return;
  const names = rivals.map(([id]) => id).join(', ');
  const theirs = rivals
    .map(([id, other]) => `${id} => [${strings((other as JsonObject)['index_patterns']).join(', ')}]`)
    .join(',');
  throw illegalArgument(
    `index template [${name}] has index patterns [${patterns.join(', ')}] matching patterns from existing templates ` +
      `[${names}] with patterns (${theirs}) that have the same priority [${priority}], multiple index templates may ` +
      'not match during index creation, please use a different priority',
  );
}

function parseComponent(name: string, body: JsonObject): JsonObject {
  refuseUnknownKeys(COMPONENT, body);
  if (!isObject(body['template'])) throw illegalArgument('Required [template]');
  checkTemplateName(name);
  return { template: parsePart(checkedTemplate(body['template'])), ...versionAndMeta(body) };
}

function putter(family: Family) {
  return async (call: Call, services: Services): Promise<Reply> => {
    const { engine } = services;
    const name = call.path['name']!;
    if (!call.hasBody) throw new EngineError('parse_exception', 'request body is required');
    const body = call.object();
    const parsed = family === COMPOSABLE ? parseComposable(name, body, services) : parseComponent(name, body);
    if (call.params.boolean('create') === true && engine.settings.get(family.kind, name) !== undefined) {
      throw illegalArgument(`${family.spoken} [${name}] already exists`);
    }
    await engine.settings.put(family.kind, name, parsed);
    return { body: { acknowledged: true } };
  };
}

function getter(family: Family) {
  return (call: Call, { engine }: Services): Reply => {
    const asked = call.path['name'];
    const all = engine.settings.list(family.kind);
    const names = namesFitting(all.keys(), asked);
    if (names.length === 0 && asked !== undefined && !asked.includes('*')) {
      throw new EngineError('resource_not_found_exception', `${family.spoken} matching [${asked}] not found`);
    }
    const list = names.map((name) => ({ name, [family.word]: show(all.get(name)) }));
    const status = names.length === 0 && asked !== undefined ? 404 : 200;
    return { status, body: { [`${family.word}s`]: list } };
  };
}

/** Settings are shown nested even where flat ones are asked for, as the peer does. */
function show(kept: JsonValue | undefined): JsonObject {
  if (!isObject(kept)) return {};
  return { ...kept, ...(isObject(kept['template']) && { template: showPart(kept['template'], false) }) };
}

function remover(family: Family) {
  return async (call: Call, services: Services): Promise<Reply> => {
    const { engine } = services;
    const asked = call.path['name']!;
    const names = namesFitting(engine.settings.list(family.kind).keys(), asked);
    if (names.length === 0 && asked !== '*') throw templateMissing(asked);
    if (family === COMPONENT) refuseUsed(names, services);
    for (const name of names) await engine.settings.remove(family.kind, name);
    return { body: { acknowledged: true } };
  };
}

function refuseUsed(components: readonly string[], { engine }: Services): void {
  const { composable } = readTemplates(engine.settings);
  const users = [...composable.keys()].filter((id) =>
    composable.get(id)!.composedOf.some((component) => components.includes(component)),
  );
  if (users.length === 0) return;
  throw illegalArgument(
    `component templates [${components.join(', ')}] cannot be removed as they are still in use by index templates ` +
      `[${users.join(', ')}]`,
  );
}

const GET_PARAMS = ['flat_settings', 'local', ...WAIT_PARAMS];

/** The endpoints of one family. */
function familyRoutes(family: Family): Route[] {
  const path = `/_${family.word}/{name}`;
  return [
    { methods: ['GET'], path: `/_${family.word}`, params: GET_PARAMS, handle: getter(family) },
    { methods: ['GET', 'HEAD'], path, params: GET_PARAMS, handle: getter(family) },
    { methods: ['PUT', 'POST'], path, params: ['create', 'cause', ...WAIT_PARAMS], handle: putter(family) },
    { methods: ['DELETE'], path, params: WAIT_PARAMS, handle: remover(family) },
  ];
}

/** `_index_template` and `_component_template`. */
export const composableRoutes: readonly Route[] = [...familyRoutes(COMPOSABLE), ...familyRoutes(COMPONENT)];
