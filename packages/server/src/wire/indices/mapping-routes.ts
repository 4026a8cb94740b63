// The `_mapping` and `_mapping/field` endpoints.

import { illegalArgument } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import {
  CATALOG_SCOPE,
  CHANGE_SCOPE,
  changeableIndices,
  describableIndices,
  WAIT_PARAMS,
} from '../resolve/scope.ts';
import { requireMapBody } from '../router/request-body.ts';
import type { Call, Reply, ReplySteps, Route, Services } from '../router/route.ts';
import { isTyped } from '../templates/index-body.ts';
import { fieldMappings, shownMappings } from './field-mappings.ts';

function* get(call: Call, services: Services): ReplySteps {
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const { name, mappings } of describableIndices(call, services, CATALOG_SCOPE)) {
    out[name] = { mappings: shownMappings(mappings) };
    yield;
  }
  return { body: out };
}

async function put(call: Call, services: Services): Promise<Reply> {
  const mappings = requireMapBody(call);
  if (isTyped(mappings)) throw illegalArgument('Types cannot be provided in put mapping requests');
  const infos = changeableIndices(call, services, CHANGE_SCOPE);
  if (call.params.boolean('write_index_only') === true && infos.length > 1) {
    throw illegalArgument(
      `The index expression [${call.path['index']}] and options provided did not point to a single write-index`,
    );
  }
  await services.engine.indices.putMapping(
    infos.map(({ name }) => name),
    mappings,
  );
  return { body: { acknowledged: true } };
}

function* getFields(call: Call, services: Services): ReplySteps {
  const fields = call.path['fields']!.split(',');
  const withDefaults = call.params.boolean('include_defaults') === true;
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const { name, mappings } of describableIndices(call, services, CATALOG_SCOPE)) {
    out[name] = { mappings: yield* fieldMappings(mappings, fields, withDefaults) };
    yield;
  }
  return { body: out };
}

const GET_PARAMS = [...RESOLVE_PARAMS, 'local', ...WAIT_PARAMS];
const PUT_PARAMS = [...RESOLVE_PARAMS, 'write_index_only', ...WAIT_PARAMS];
const FIELD_PARAMS = [...RESOLVE_PARAMS, 'include_defaults', 'local'];

/** The rows of this family. */
export const mappingRoutes: readonly Route[] = [
  ...['/_mapping', '/_mappings', '/{index}/_mapping', '/{index}/_mappings'].map(
    (path): Route => ({ methods: ['GET'], path, params: GET_PARAMS, handle: get }),
  ),
  ...['/{index}/_mapping', '/{index}/_mappings'].map(
    (path): Route => ({ methods: ['PUT', 'POST'], path, params: PUT_PARAMS, handle: put }),
  ),
  ...['/_mapping/field/{fields}', '/{index}/_mapping/field/{fields}'].map(
    (path): Route => ({ methods: ['GET'], path, params: FIELD_PARAMS, handle: getFields }),
  ),
];
