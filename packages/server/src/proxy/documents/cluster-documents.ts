// Reads and writes of single documents over a cluster: by the one index that a name resolves to, and for a
// caller with a document filter by the embedded store's own rules (filtered-documents.ts).

import type { Action } from '../../access/guard/caller-rules.ts';
import type { Reply, Route } from '../../wire/router/route.ts';
import { assignId } from '../change-events/write-intents.ts';
import { forward, type ProxyRequest, replyFrom, sendWrite } from '../request/forward.ts';
import { requireNoPipeline } from '../request/restrictions.ts';
import { filteredRead, filteredWrite } from './filtered-documents.ts';

const READ: Action = 'indices:data/read/get';
const WRITE: Action = 'indices:data/write/bulk';

/** GET and HEAD of `_doc` and `_source`. */
export async function readDocument(request: ProxyRequest, handle: Route['handle']): Promise<Reply> {
  const { call } = request;
  const { index: name = '' } = call.path;
  request.caller.require('read', READ, name);
  if (request.caller.filter !== undefined) return await filteredRead(request, handle);
  return await forward(request, { index: await request.caller.indexPath(name), repeatable: true });
}

export async function writeDocument(request: ProxyRequest, handle: Route['handle']): Promise<Reply> {
  const { call } = request;
  const { index: name = '' } = call.path;
  request.caller.require('write', WRITE, name);
  if (request.caller.filter !== undefined) return await filteredWrite(request, handle);
  requireNoPipeline(request.caller, call.params.has('pipeline'));
  // With require_alias the alias is forwarded; the index it leads to was checked above.
  const required = call.params.boolean('require_alias') === true;
  const index = await request.caller.writeIndexPath(name, WRITE);
  const changes = { index: required ? undefined : index };
  if (!(await request.changeEvents.hasFollowers())) return replyFrom(await sendWrite(request, changes), call);
  const { write, documents } = assignId(call, request.route);
  const { route, ...named } = write;
  return replyFrom(await sendWrite({ ...request, route }, { ...changes, ...named }, documents), call);
}
