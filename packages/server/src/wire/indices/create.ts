// PUT /{index}: creates an index from the body and the templates that fit its name.

import { type Engine, EngineError, type IndexInfo } from '@octavo/engine';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import { checkNewAliases } from '../aliases/alias-steps.ts';
import { checkIndexName, invalidIndexName } from '../resolve/index-name.ts';
import { replicasOf } from '../resolve/scope.ts';
import { hasEnoughShards } from '../resolve/shards.ts';
import { readMapBody } from '../router/request-body.ts';
import type { Call, Reply, Services } from '../router/route.ts';
import { applyTemplates } from '../templates/apply-templates.ts';
import { checkedSettings, parseIndexBody } from '../templates/index-body.ts';
import { readTemplates } from '../templates/template-store.ts';
import { checkSortSettings } from './sort-settings.ts';

/** Creates an index. */
export async function createIndex(call: Call, { engine }: Services): Promise<Reply> {
  const body = parseIndexBody(readMapBody(call));
  hasEnoughShards(call.params, 0);
  const info = await createFrom(engine, call.path['index']!, body);
  return {
    body: {
      acknowledged: true,
      shards_acknowledged: hasEnoughShards(call.params, replicasOf(info)),
      index: info.name,
    },
  };
}

/** Creates an index from a body and templates. The name may have date maths. */
export async function createFrom(
  engine: Engine,
  requested: string,
  body: ReturnType<typeof parseIndexBody>,
): Promise<IndexInfo> {
  const name = freeName(engine, requested);
  const own = { ...body, settings: checkedSettings(body.settings) };
  const whole = applyTemplates(name, readTemplates(engine.settings), own);
  checkNewAliases(engine, name, whole.aliases);
  checkSortSettings(whole.settings, whole.mappings);
  const provided = requested === name ? {} : { 'index.provided_name': requested };
  const settings = { ...whole.settings, ...provided };
  return await engine.indices.create(name, { ...whole, settings });
}

/** The name of a new index, without date maths. Throws for one that is not valid, or that an index or alias has. */
export function freeName(engine: Engine, requested: string): string {
  const name = resolveDateMathName(requested);
  checkIndexName(name);
  const existing = engine.indices.info(name);
  if (existing !== undefined) throw alreadyExists(existing);
  for (const other of engine.indices.names()) {
    if (Object.hasOwn(engine.indices.info(other)?.aliases ?? {}, name))
      throw invalidIndexName(name, 'already exists as alias');
  }
  return name;
}

function alreadyExists({ name, uuid }: IndexInfo): EngineError {
  return new EngineError('resource_already_exists_exception', `index [${name}/${uuid}] already exists`, {
    details: { index: name, index_uuid: uuid },
  });
}
