// The `_simulate_index` endpoint: the body that an index of a name would get from templates.

import { matchesAnyWildcard } from '../../patterns/wildcard.ts';
import { showAliases } from '../aliases/alias-spec.ts';
import { WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { showSettings } from '../settings/flat-settings.ts';
import { applyTemplates, findComposable, findLegacy, type Templates } from './apply-templates.ts';
import { parseComposable } from './composable.ts';
import { EMPTY_INDEX_BODY } from './index-body.ts';
import { readComposable, readTemplates } from './template-store.ts';

function simulateIndex(call: Call, services: Services): Reply {
  const name = call.path['name']!;
  let templates = readTemplates(services.engine.settings);
  if (call.hasBody) templates = withCandidate(templates, call, services);
  const chosen = findComposable(name, templates);
  if (chosen === undefined) return { body: {} };
  const whole = applyTemplates(name, templates, EMPTY_INDEX_BODY);
  const others = [...templates.composable].filter(
    ([id, each]) => id !== chosen && matchesAnyWildcard(each.patterns, name),
  );
  const overlapping = [
    ...findLegacy(name, templates).map((id) => ({
      name: id,
      index_patterns: [...templates.legacy.get(id)!.patterns],
    })),
    ...others.map(([id, each]) => ({ name: id, index_patterns: [...each.patterns] })),
  ];
  const template = {
    settings: showSettings(whole.settings, false),
    mappings: whole.mappings,
    aliases: showAliases(whole.aliases),
  };
  return { body: { template, overlapping } };
}

/** The templates with the body of the call as another one. */
function withCandidate(templates: Templates, call: Call, services: Services): Templates {
  const id = '\u0000simulated';
  const stored = parseComposable('simulate', call.object(), services);
  return { ...templates, composable: new Map([...templates.composable, [id, readComposable(stored)]]) };
}

/** `_simulate_index`. */
export const simulateRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/_index_template/_simulate_index/{name}',
    params: ['cause', ...WAIT_PARAMS],
    handle: simulateIndex,
  },
];
