// PUT /{index}: creates an index from the body and the templates that fit its name.

import { EngineError, type IndexInfo } from '@octavo/engine';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import { checkNewAliases } from '../aliases/alias-steps.ts';
import { checkIndexName, invalidIndexName } from '../resolve/index-name.ts';
import { replicasOf } from '../resolve/scope.ts';
import { hasEnoughShards } from '../resolve/shards.ts';
import { readMapBody } from '../router/request-body.ts';
import type { Call, Reply, Services } from '../router/route.ts';
import { applyTemplates } from '../templates/apply-templates.ts';
import { checkedSettings, parseIndexBody, withPresets } from '../templates/index-body.ts';
import { readTemplates } from '../templates/template-store.ts';
import { checkSortSettings } from './sort-settings.ts';

/** Creates an index. */
export async function createIndex(call: Call, { engine }: Services): Promise<Reply> {
  const requested = call.path['index']!;
  const body = parseIndexBody(readMapBody(call));
  hasEnoughShards(call.params, 0);
  const name = resolveDateMathName(requested);
  checkIndexName(name);
  const existing = engine.indices.info(name);
  if (existing !== undefined) throw alreadyExists(existing);
  for (const other of engine.indices.names()) {
    if (Object.hasOwn(engine.indices.info(other)?.aliases ?? {}, name)) {
      throw invalidIndexName(name, 'already exists as alias');
    }
  }
  const own = { ...body, settings: checkedSettings(body.settings) };
  const whole = applyTemplates(name, readTemplates(engine.settings), own);
  checkNewAliases(engine, name, whole.aliases);
  checkSortSettings(whole.settings, whole.mappings);
  const provided = requested === name ? {} : { 'index.provided_name': requested };
  const info = await engine.indices.create(
    name,
    withPresets({ ...whole, settings: { ...whole.settings, ...provided } }),
  );
  return {
    body: {
      acknowledged: true,
      shards_acknowledged: hasEnoughShards(call.params, replicasOf(info)),
      index: name,
    },
  };
}

function alreadyExists({ name, uuid }: IndexInfo): EngineError {
  return new EngineError('resource_already_exists_exception', `index [${name}/${uuid}] already exists`, {
    details: { index: name, index_uuid: uuid },
  });
}
