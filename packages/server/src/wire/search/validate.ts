// The `_validate/query` endpoints: check the syntax of a query, and its fit to the fields of each index,
// without searching.

import { EngineError, type JsonObject, parseQuery, stringifyJson } from '@octavo/engine';
import { asEngineError } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { shardsOf } from '../resolve/scope.ts';
import { QUERY_PARAMS, queryParam, searchTarget } from '../resolve/target.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { resolveScripts } from '../scripts/stored-scripts.ts';
import { resolveLookups } from './body/document-lookups.ts';
import { readQueryOnly } from './count.ts';

const PARAMS = [...QUERY_PARAMS, ...RESOLVE_PARAMS, 'all_shards', 'explain', 'rewrite'];

/** The rows of this family. */
export const validateRoutes: readonly Route[] = [
  '/_validate/query',
  '/{index}/_validate/query',
  '/{index}/{type}/_validate/query',
].map((path) => ({ methods: ['GET', 'POST', 'QUERY'], path, params: PARAMS, handle: validate }));

/** Errors that say nothing about the query. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'action_request_validation_exception',
  'index_not_found_exception',
]);

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

async function validate(call: Call, services: Services): Promise<Reply> {
  const explain = call.params.boolean('explain') === true || call.params.boolean('rewrite') === true;
  let query: JsonObject;
  let resolved: JsonObject;
  try {
    query = queryParam(call.params) ?? bodyQuery(call, services) ?? { match_all: {} };
    // The peer checks the query before it looks for the indices.
    const indices = attempt(() => searchTarget(services.engine, call).indices) ?? [];
    resolved = resolveLookups(query, { engine: services.engine, indices });
    parseQuery(resolved);
  } catch (thrown) {
    if (!(thrown instanceof EngineError) || PASSED_ON.has(thrown.type)) throw thrown;
    return { body: { valid: false, error: explain ? detailedText(thrown) : undefined } };
  }
  const target = searchTarget(services.engine, call);
  const explanations: ReplyObject[] = [];
  let valid = true;
  // One shard of each index checks the query, unless all are asked to.
  const everyShard = call.params.boolean('all_shards') === true;
  for (const info of target.infos) {
    const error = await failureOf(services, info.name, resolved, call);
    if (error !== undefined) valid = false;
    for (let shard = 0; shard < (everyShard ? shardsOf(info) : 1); shard++) {
      explanations.push({
        index: info.name,
        shard: everyShard ? shard : undefined,
        ...(error === undefined
          ? { valid: true, explanation: explained(query) }
          : { valid: false, error: `[${info.name}/${info.uuid}] ${javaText(error)}` }),
      });
    }
  }
  const shards = explanations.length;
  return {
    body: {
      _shards: { total: shards, successful: shards, failed: 0 },
      valid,
      explanations: explain || everyShard ? explanations : undefined,
    },
  };
}

/** The query of the body. Throws for a body that has none. */
function bodyQuery(call: Call, services: Services): JsonObject | undefined {
  const query = readQueryOnly(resolveScripts(services.engine, call.object()));
  if (query === undefined && call.hasBody) throwIfInvalid(['query cannot be null']);
  return query;
}

/** The explanation of a query: the query itself. Clients know the peer's text for `match_all`. */
function explained(query: JsonObject): string {
  const text = stringifyJson(query);
  if (text !== '{"match_all":{}}') return text;
  return 'ApproximateScoreQuery(originalQuery=*:*, approximationQuery=Approximate(*:*))';
}

async function failureOf(
  { engine }: Services,
  index: string,
  query: JsonObject,
  caller: Call,
): Promise<EngineError | undefined> {
  try {
    await engine.searchPage({ indices: [index], query, size: 0, terminateAfter: 1, caller }, () => undefined);
    return undefined;
  } catch (thrown) {
    return asEngineError(thrown);
  }
}

/** The peer prints a malformed query without the end of a list of causes, if there are none. */
function detailedText(error: EngineError): string {
  const text = javaText(error);
  return error.causedBy === undefined ? text.slice(0, -1) : text;
}

/** `parsing_exception` → `ParsingException[…]; nested: …`, as the peer prints causes. */
function javaText(error: EngineError): string {
  const name = error.type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const nested = error.causedBy === undefined ? '' : ` nested: ${javaText(error.causedBy)}`;
  return `${name}[${error.message}];${nested}`;
}
