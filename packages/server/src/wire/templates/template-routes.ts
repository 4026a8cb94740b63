// The endpoints of templates: put, get and delete of each family, and `_simulate_index`.

import { EngineError, illegalArgument, isObject, type JsonObject } from '@octavo/engine';
import { matchesAnyWildcard } from '../../patterns/wildcard.ts';
import { WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { COMPONENT_TEMPLATES, COMPOSABLE_TEMPLATES } from './composable.ts';
import { LEGACY_TEMPLATES } from './legacy.ts';
import type { TemplateFamily } from './parse-template.ts';
import { simulateRoutes } from './simulate-index.ts';

const GET_PARAMS = ['flat_settings', 'local', ...WAIT_PARAMS];

function familyRoutes(family: TemplateFamily): Route[] {
  const path = `${family.path}/{name}`;
  const get = (call: Call, services: Services): Reply => getTemplates(family, call, services);
  const put = (call: Call, services: Services): Promise<Reply> => putTemplate(family, call, services);
  const remove = (call: Call, services: Services): Promise<Reply> => removeTemplates(family, call, services);
  return [
    { methods: ['GET'], path: family.path, params: GET_PARAMS, handle: get },
    { methods: ['GET', 'HEAD'], path, params: GET_PARAMS, handle: get },
    { methods: ['PUT', 'POST'], path, params: [...family.putParams, ...WAIT_PARAMS], handle: put },
    { methods: ['DELETE'], path, params: WAIT_PARAMS, handle: remove },
  ];
}

async function putTemplate(family: TemplateFamily, call: Call, services: Services): Promise<Reply> {
  const { settings } = services.engine;
  const name = call.path['name']!;
  const refuseExisting = (): void => {
    if (call.params.boolean('create') === true && settings.get(family.kind, name) !== undefined)
      throw illegalArgument(`${family.displayName} [${name}] already exists`);
  };
  await settings.put(family.kind, name, family.parse(name, call, services, refuseExisting));
  return { body: { acknowledged: true } };
}

function getTemplates(family: TemplateFamily, call: Call, { engine }: Services): Reply {
  const requested = call.path['name'];
  const all = engine.settings.list(family.kind);
  const found = namesFitting(all.keys(), requested).flatMap((name): [string, JsonObject][] => {
    const stored = all.get(name);
    return isObject(stored) ? [[name, stored]] : [];
  });
  const isMissing = found.length === 0 && requested !== undefined;
  if (isMissing) family.refuseMissing?.(requested);
  const flat = call.params.boolean('flat_settings') === true;
  return { status: isMissing ? 404 : 200, body: family.show(found, flat) };
}

async function removeTemplates(family: TemplateFamily, call: Call, services: Services): Promise<Reply> {
  const { settings } = services.engine;
  const requested = call.path['name']!;
  const names = namesFitting(settings.list(family.kind).keys(), requested);
  if (names.length === 0 && requested !== '*')
    throw new EngineError('index_template_missing_exception', `index_template [${requested}] missing`);
  family.refuseRemoval?.(names, services);
  await settings.remove(family.kind, names);
  return { body: { acknowledged: true } };
}

/** The names that fit an expression such as `a,b*`, sorted; all of them where it is missing. */
function namesFitting(names: Iterable<string>, expression: string | undefined): string[] {
  const all = [...names].sort();
  if (expression === undefined || expression === '_all') return all;
  const patterns = expression.split(',');
  return all.filter((name) => matchesAnyWildcard(patterns, name));
}

/** The rows of this family. */
export const templateRoutes: readonly Route[] = [
  ...familyRoutes(LEGACY_TEMPLATES),
  ...familyRoutes(COMPOSABLE_TEMPLATES),
  ...familyRoutes(COMPONENT_TEMPLATES),
  ...simulateRoutes,
];
