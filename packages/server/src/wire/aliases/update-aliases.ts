// POST `_aliases`: the actions of the body, carried out together.

import {
  EngineError,
  type IndexInfo,
  illegalArgument,
  type JsonObject,
  type JsonValue,
  Turn,
} from '@octavo/engine';
import { refuseAliases, resolveIndices } from '../resolve/resolve.ts';
import { CHANGE_SCOPE, DELETE_SCOPE, HIDDEN_SCOPE } from '../resolve/scope.ts';
import type { Call, Reply, Services } from '../router/route.ts';
import { parseAliasSpec, SPEC_FIELDS } from './alias-spec.ts';
import {
  type AliasStep,
  addSteps,
  aliasesMissing,
  applySteps,
  removeSteps,
  requireActions,
} from './alias-steps.ts';

type Verb = 'add' | 'remove' | 'remove_index';

const TARGET_FIELDS: Readonly<Record<Verb, readonly string[]>> = {
  add: ['index', 'indices', 'alias', 'aliases', 'must_exist'],
  remove: ['index', 'indices', 'alias', 'aliases', 'must_exist'],
  remove_index: ['index', 'indices', 'must_exist'],
};

/** POST _aliases. */
export async function updateAliases(call: Call, services: Services): Promise<Reply> {
  if (!call.hasBody) throw new EngineError('parse_exception', 'request body is required');
  const body = call.object();
  for (const key of Object.keys(body)) {
    if (key !== 'actions')
      throw new EngineError('x_content_parse_exception', `[1:2] [aliases] unknown field [${key}]`);
  }
  const actions = body['actions'] ?? [];
  if (!Array.isArray(actions)) {
    throw new EngineError(
      'x_content_parse_exception',
      "[1:2] [aliases] actions doesn't support values of this type",
    );
  }
  requireActions(actions.length);
  const steps: AliasStep[] = [];
  const missing: string[] = [];
  let softly = false;
  const turn = new Turn();
  for (const action of actions) {
    if (turn.isOver()) await turn.next();
    const { verb, target } = readAction(action);
    const own = stepsOf(verb, target, services);
    steps.push(...own);
    if (verb !== 'remove' || own.length > 0) continue;
    if (target['must_exist'] === true) throw aliasesMissing(namesOf(target, 'alias', 'aliases'));
    if (target['must_exist'] === false) softly = true;
    else missing.push(...namesOf(target, 'alias', 'aliases'));
  }
  if (steps.length === 0 && missing.length > 0 && !softly) throw aliasesMissing(missing);
  await applySteps(services.engine, steps);
  return { body: { acknowledged: true } };
}

function readAction(action: JsonValue): { verb: Verb; target: JsonObject } {
  if (typeof action !== 'object' || action === null || Array.isArray(action)) {
    throw failed(new EngineError('x_content_parse_exception', '[1:1] [alias_action] Expected START_OBJECT'));
  }
  const verbs = Object.keys(action);
  const unknown = verbs.find((verb) => verb !== 'add' && verb !== 'remove' && verb !== 'remove_index');
  if (unknown !== undefined) {
    throw failed(
      new EngineError('x_content_parse_exception', `[1:1] [alias_action] unknown field [${unknown}]`),
    );
  }
  if (verbs.length !== 1) throw failed(illegalArgument('Too many operations declared on operation entry'));
  const verb = verbs[0] as Verb;
  const target = action[verb];
  if (typeof target !== 'object' || target === null || Array.isArray(target)) {
    throw failed(new EngineError('x_content_parse_exception', `[1:1] [${verb}] Expected START_OBJECT`));
  }
  for (const field of Object.keys(target)) {
    if (TARGET_FIELDS[verb].includes(field) || (verb === 'add' && SPEC_FIELDS.has(field))) continue;
    throw failed(new EngineError('x_content_parse_exception', `[1:1] [${verb}] unknown field [${field}]`));
  }
  requireOne(target, 'index', 'indices');
  if (verb !== 'remove_index') requireOne(target, 'alias', 'aliases');
  return { verb, target };
}

function requireOne(target: JsonObject, one: string, many: string): void {
  const [hasOne, hasMany] = [target[one] !== undefined, target[many] !== undefined];
  if (hasOne && hasMany) throw failed(illegalArgument(`Only one of [${one}] and [${many}] is supported`));
  if (!hasOne && !hasMany) throw failed(illegalArgument(`One of [${one}] or [${many}] is required`));
  const names = namesOf(target, one, many);
  if (names.length === 0) throw failed(illegalArgument(`[${many}] can't be empty`));
  if (names.includes('')) throw failed(illegalArgument(`[${hasOne ? one : many}] can't be empty string`));
}

function failed(causedBy: EngineError): EngineError {
  return new EngineError('x_content_parse_exception', '[1:1] [aliases] failed to parse field [actions]', {
    causedBy,
  });
}

function namesOf(target: JsonObject, one: string, many: string): string[] {
  const value = target[many] ?? target[one];
  const list = Array.isArray(value) ? value : [value ?? ''];
  return list.map((name) => {
    if (typeof name === 'object') throw failed(illegalArgument(`[${many}] must be names`));
    return String(name);
  });
}

function stepsOf(verb: Verb, target: JsonObject, { engine }: Services): AliasStep[] {
  const scope =
    verb === 'remove_index'
      ? { ...DELETE_SCOPE, allowNoIndices: false }
      : verb === 'add'
        ? CHANGE_SCOPE
        : HIDDEN_SCOPE;
  if (verb === 'remove_index') refuseAliases(engine, namesOf(target, 'index', 'indices'));
  const infos: IndexInfo[] = resolveIndices(engine, namesOf(target, 'index', 'indices'), scope).map(
    ({ info }) => info,
  );
  if (verb === 'remove_index') return infos.map(({ name }) => ({ removeIndex: { index: name } }));
  const aliases = namesOf(target, 'alias', 'aliases');
  if (verb === 'remove') return removeSteps(infos, aliases);
  return addSteps(infos, aliases, parseAliasSpec(aliases[0]!, target));
}
