// The `_validate/query` endpoints: check the syntax of a query, and its fit to the fields of each index,
// without searching.

import { EngineError, type JsonObject, parseQuery, stringifyJson } from '@octavo/engine';
import { asEngineError } from '../../errors/error-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { QUERY_PARAMS, queryParam, searchTarget } from '../resolve/target.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { resolveScripts } from '../scripts/stored-scripts.ts';
import { readQueryOnly } from './count.ts';

const PARAMS = [...QUERY_PARAMS, ...RESOLVE_PARAMS, 'all_shards', 'explain', 'rewrite'];

/** The rows of this family. */
export const validateRoutes: readonly Route[] = [
  '/_validate/query',
  '/{index}/_validate/query',
  '/{index}/{type}/_validate/query',
].map((path) => ({ methods: ['GET', 'POST', 'QUERY'], path, params: PARAMS, handle: validate }));

async function validate(call: Call, services: Services): Promise<Reply> {
  const explain = call.params.boolean('explain') === true || call.params.boolean('rewrite') === true;
  let query: JsonObject;
  try {
    query = queryParam(call.params) ??
      readQueryOnly(resolveScripts(services.engine, call.object())) ?? { match_all: {} };
    parseQuery(query);
  } catch (thrown) {
    if (!(thrown instanceof EngineError)) throw thrown;
    return { body: { valid: false, error: explain ? javaText(thrown) : undefined } };
  }
  const target = searchTarget(services.engine, call);
  const explanations: ReplyObject[] = [];
  let valid = true;
  for (const info of target.infos) {
    const error = await failureOf(services, info.name, query, call);
    if (error !== undefined) valid = false;
    explanations.push(
      error === undefined
        ? { index: info.name, valid: true, explanation: explained(query) }
        : { index: info.name, valid: false, error: `[${info.name}/${info.uuid}] ${javaText(error)}` },
    );
  }
  return {
    body: {
      _shards: { total: 1, successful: 1, failed: 0 },
      valid,
      explanations: explain ? explanations : undefined,
    },
  };
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

/** `parsing_exception` → `ParsingException[…]; nested: …`, as the peer prints causes. */
function javaText(error: EngineError): string {
  const name = error.type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const nested = error.causedBy === undefined ? '' : ` nested: ${javaText(error.causedBy)}`;
  return `${name}[${error.message}];${nested}`;
}
