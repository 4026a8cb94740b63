// The `_explain` endpoints: whether a query matches a document, and its score.

import { type Explanation, runToEnd, type SearchRequest } from '@octavo/engine';
import { fetchDocument } from '../../access/guard/guarded-engine.ts';
import { validationError } from '../../errors/validation-error.ts';
import { resolveOne, SEARCH_OPTIONS } from '../resolve/resolve.ts';
import { onSameShard } from '../resolve/shards.ts';
import { QUERY_PARAMS, queryParam, targetOf } from '../resolve/target.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { resolveScripts } from '../scripts/stored-scripts.ts';
import { readSourceParams, SOURCE_PARAMS, typeMember, visibleSource } from '../source/source-filter.ts';
import { readQueryOnly } from './count.ts';
import { explanationTree } from './page/explanation-tree.ts';
import { nameShardErrors } from './search-errors.ts';

const PARAMS = [...QUERY_PARAMS, ...SOURCE_PARAMS, 'preference', 'routing', 'stored_fields'];

/** The rows of this family. */
export const explainRoutes: readonly Route[] = [
  '/{index}/_explain/{id}',
  '/{index}/{type}/{id}/_explain',
].map((path) => ({ methods: ['GET', 'POST', 'QUERY'], path, params: PARAMS, handle: explain }));

/** Where the alias leaves the document out. */
const NOTHING: Explanation = { matched: false, value: 0, description: 'no matching term', details: [] };

async function explain(call: Call, services: Services): Promise<Reply> {
  const { engine } = services;
  const { index = '', id = '' } = call.path;
  const query = queryParam(call.params) ?? readQueryOnly(resolveScripts(engine, call.object()));
  if (query === undefined) throw validationError(['query is missing']);
  const info = resolveOne(engine, index);
  const doc = await fetchDocument(engine, info.name, id, { realtime: false });
  if (doc === undefined || !onSameShard(info, doc, call.params.string('routing'))) {
    return { status: 404, body: { _index: info.name, _id: id, matched: false } };
  }
  const target = targetOf(engine, index, undefined, SEARCH_OPTIONS);
  const alias = target.filters?.get(info.name);
  const request: SearchRequest = {
    indices: [info.name],
    query: { ids: { values: [id] } },
    explain: { query },
    ...(alias === undefined ? {} : { filters: new Map([[info.name, alias]]) }),
    size: 1,
    caller: call,
  };
  const explanation = await nameShardErrors(target, request, () =>
    engine.searchPage(request, (page) => page.result('lazy').hits[0]?.explanation),
  );
  const spec = readSourceParams(call.params);
  const visible =
    spec === undefined ? undefined : { _source: runToEnd(visibleSource(info.mappings, doc.source, spec)) };
  return {
    body: {
      _index: info.name,
      ...typeMember(doc.type),
      _id: id,
      matched: explanation?.matched === true,
      explanation: explanationTree(explanation ?? NOTHING),
      get:
        visible === undefined ? undefined : { _seq_no: doc.seqNo, _primary_term: 1, found: true, ...visible },
    },
  };
}
