// The endpoints of aliases: `_alias` for one change by path or body, `_aliases` for several.

import { illegalArgument, type JsonObject, type JsonValue, plainText } from '@octavo/engine';
import { RESOLVE_PARAMS, resolveIndices } from '../resolve/resolve.ts';
import { CHANGE_SCOPE, HIDDEN_SCOPE, WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { parseAliasSpec, SPEC_FIELDS } from './alias-spec.ts';
import { addSteps, aliasesMissing, applySteps, removeSteps } from './alias-steps.ts';
import { getAliases, hasAliases } from './get-aliases.ts';
import { updateAliases } from './update-aliases.ts';

async function put(call: Call, { engine }: Services): Promise<Reply> {
  const body = call.object();
  for (const field of Object.keys(body)) {
    if (field !== 'index' && field !== 'alias' && !SPEC_FIELDS.has(field)) {
      throw illegalArgument(`unknown field [${field}]`);
    }
  }
  const { index, alias } = {
    index: text(body, 'index') ?? call.path['index'],
    alias: text(body, 'alias') ?? call.path['name'],
  };
  const indices = (index ?? '').split(',').filter((part) => part !== '');
  if (index === undefined || indices.length === 0) throw illegalArgument("[indices] can't be empty");
  if (alias === undefined || alias === '') throw illegalArgument("[alias] can't be empty string");
  const spec = parseAliasSpec(alias, body);
  const infos = resolveIndices(engine, indices, CHANGE_SCOPE).map(({ info }) => info);
  await applySteps(engine, addSteps(infos, [alias], spec));
  return { body: { acknowledged: true } };
}

function text(body: JsonObject, key: string): string | undefined {
  const value: JsonValue | undefined = body[key];
  return value === undefined || value === null ? undefined : plainText(value);
}

async function remove(call: Call, { engine }: Services): Promise<Reply> {
  const patterns = call.path['name']!.split(',');
  const infos = resolveIndices(engine, call.path['index'], HIDDEN_SCOPE).map(({ info }) => info);
  const steps = removeSteps(infos, patterns);
  if (steps.length === 0) throw aliasesMissing(patterns);
  await applySteps(engine, steps);
  return { body: { acknowledged: true } };
}

const GET_PARAMS = [...RESOLVE_PARAMS, 'local', ...WAIT_PARAMS];

const PUT_PATHS = [
  '/_alias',
  '/_alias/{name}',
  '/_aliases/{name}',
  '/{index}/_alias',
  '/{index}/_aliases',
  '/{index}/_alias/{name}',
  '/{index}/_aliases/{name}',
];

/** The rows of this family, with the plural paths that the peer accepts. */
export const aliasRoutes: readonly Route[] = [
  ...['/_alias', '/_aliases', '/_alias/{name}', '/{index}/_alias', '/{index}/_alias/{name}'].map(
    (path): Route => ({ methods: ['GET'], path, params: GET_PARAMS, handle: getAliases }),
  ),
  ...['/_alias/{name}', '/{index}/_alias', '/{index}/_alias/{name}'].map(
    (path): Route => ({ methods: ['HEAD'], path, params: GET_PARAMS, handle: hasAliases }),
  ),
  ...PUT_PATHS.map((path): Route => ({ methods: ['PUT'], path, params: WAIT_PARAMS, handle: put })),
  ...['/_alias/{name}', '/_aliases/{name}', '/{index}/_alias/{name}', '/{index}/_aliases/{name}'].map(
    (path): Route => ({ methods: ['POST'], path, params: WAIT_PARAMS, handle: put }),
  ),
  ...['/{index}/_alias/{name}', '/{index}/_aliases/{name}'].map(
    (path): Route => ({ methods: ['DELETE'], path, params: WAIT_PARAMS, handle: remove }),
  ),
  { methods: ['POST'], path: '/_aliases', params: WAIT_PARAMS, handle: updateAliases },
];
