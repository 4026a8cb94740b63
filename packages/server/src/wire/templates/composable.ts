// Composable templates (`_index_template`) and the components they are made of (`_component_template`): of
// the templates that fit a name, the one with the highest priority is applied.

import {
  EngineError,
  illegalArgument,
  isObject,
  type JsonObject,
  type JsonValue,
  plainNumber,
} from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { wildcardsOverlap } from '../../patterns/wildcard.ts';
import { requireBody } from '../router/request-body.ts';
import type { Services } from '../router/route.ts';
import { applyTemplates } from './apply-templates.ts';
import { EMPTY_INDEX_BODY } from './index-body.ts';
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
import {
  COMPONENT_KIND,
  COMPOSABLE_KIND,
  readComposable,
  readTemplates,
  stringList,
} from './template-store.ts';

const COMPOSABLE_KEYS: ReadonlySet<string> = new Set([
  'index_patterns',
  'template',
  'composed_of',
  'priority',
  'version',
  '_meta',
  'data_stream',
]);
const COMPONENT_KEYS: ReadonlySet<string> = new Set(['template', 'version', '_meta']);
const PUT_PARAMS = ['create', 'cause'];

/** `_index_template`. */
export const COMPOSABLE_TEMPLATES: TemplateFamily = {
  kind: COMPOSABLE_KIND,
  path: '/_index_template',
  displayName: 'index template',
  putParams: PUT_PARAMS,
  parse: (name, call, services, refuseExisting) => {
    requireBody(call);
    const parsed = parseComposable(name, call.object(), services);
    refuseExisting();
    return parsed;
  },
  show: (found) => ({ index_templates: listed('index_template', found) }),
  refuseMissing: (requested) => refuseMissing('index template', requested),
};

/** `_component_template`. */
export const COMPONENT_TEMPLATES: TemplateFamily = {
  kind: COMPONENT_KIND,
  path: '/_component_template',
  displayName: 'component template',
  putParams: PUT_PARAMS,
  parse: (name, call, _services, refuseExisting) => {
    requireBody(call);
    const parsed = parseComponent(name, call.object());
    refuseExisting();
    return parsed;
  },
  show: (found) => ({ component_templates: listed('component_template', found) }),
  refuseMissing: (requested) => refuseMissing('component template', requested),
  refuseRemoval: refuseUsed,
};

/** The list of a GET. Settings are nested even for `flat_settings`, as with the peer. */
function listed(member: string, found: readonly (readonly [string, JsonObject])[]): ReplyObject[] {
  return found.map(([name, stored]) => {
    const template = stored['template'];
    const shown = isObject(template) ? { ...stored, template: showPart(template, false) } : stored;
    return { name, [member]: shown };
  });
}

function refuseMissing(displayName: string, requested: string): void {
  if (requested.includes('*')) return;
  throw new EngineError('resource_not_found_exception', `${displayName} matching [${requested}] not found`);
}

/** The body of a composable template in its stored form. Throws the peer's errors. */
export function parseComposable(name: string, body: JsonObject, { engine, limits }: Services): JsonObject {
  refuseUnknownKeys('index_template', COMPOSABLE_KEYS, body);
  if (isObject(body['data_stream']))
    throw illegalArgument('data streams are not supported: leave out [data_stream]');
  const patterns = parsePatterns(body['index_patterns']);
  if (patterns === undefined) throw illegalArgument('Required [index_patterns]');
  checkTemplateName(name);
  checkPatterns(name, patterns);
  const composedOf = body['composed_of'];
  const components = stringList(composedOf);
  const missing = components.filter((id) => engine.settings.get(COMPONENT_KIND, id) === undefined);
  if (missing.length > 0) {
    throw new EngineError(
      'invalid_index_template_exception',
      `index_template [${name}] invalid, cause [index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist]`,
    );
  }
  const priority = readIntegerMember(body, 'priority');
  refuseRival(name, patterns, priority ?? 0, engine.settings.list(COMPOSABLE_KIND));
  const stored: JsonObject = {
    index_patterns: patterns,
    ...(isObject(body['template']) && { template: parsePart(checkedTemplate(body['template'])) }),
    composed_of: components,
    ...(priority !== undefined && { priority }),
    ...versionAndMeta(body),
  };
  const { components: parts } = readTemplates(engine.settings);
  const composable = new Map([[name, { ...readComposable(stored), patterns: ['*'] }]]);
  const { settings, mappings } = applyTemplates(
    name,
    { legacy: new Map(), composable, components: parts },
    EMPTY_INDEX_BODY,
  );
  const what = `composable template [${name}] template after composition is invalid`;
  refuseUnusable(what, settings, mappings, limits);
  return stored;
}

function refuseUnknownKeys(word: string, known: ReadonlySet<string>, body: JsonObject): void {
  for (const key of Object.keys(body)) {
    if (known.has(key)) continue;
    throw new EngineError('x_content_parse_exception', `[1:1] [${word}] unknown field [${key}]`);
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
  const version = readIntegerMember(body, 'version');
  return {
    ...(version !== undefined && { version }),
    ...(isObject(body['_meta']) && { _meta: body['_meta'] }),
  };
}

/** Throws if another template of the same priority can fit the same names. */
function refuseRival(
  name: string,
  patterns: readonly string[],
  priority: number,
  stored: ReadonlyMap<string, JsonValue>,
): void {
  const rivals = [...stored].filter(([id, other]) => {
    if (id === name || !isObject(other) || plainNumber(other['priority'] ?? 0) !== priority) return false;
    return stringList(other['index_patterns']).some((theirs) =>
      patterns.some((ours) => wildcardsOverlap(ours, theirs)),
    );
  });
  if (rivals.length === 0) return;
  const names = rivals.map(([id]) => id).join(', ');
  const theirs = rivals
    .map(([id, other]) => `${id} => [${stringList((other as JsonObject)['index_patterns']).join(', ')}]`)
    .join(',');
  throw illegalArgument(
    `index template [${name}] has index patterns [${patterns.join(', ')}] matching patterns from existing templates ` +
      `[${names}] with patterns (${theirs}) that have the same priority [${priority}], multiple index templates may ` +
      'not match during index creation, please use a different priority',
  );
}

function parseComponent(name: string, body: JsonObject): JsonObject {
  refuseUnknownKeys('component_template', COMPONENT_KEYS, body);
  if (!isObject(body['template'])) throw illegalArgument('Required [template]');
  checkTemplateName(name);
  return { template: parsePart(checkedTemplate(body['template'])), ...versionAndMeta(body) };
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
