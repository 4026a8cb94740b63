// How are single documents read and written over the cluster? By the one index that their name means; through a document
// filter only as far as it can be held against them.

import type { Action } from '../../access/guard/rules.ts';
import type { Reply, Route } from '../../wire/router/route.ts';
import { namedWrite } from '../change-events/write-intents.ts';
import { askWrite, type Forwarded, forward, replyOf } from '../request/forward.ts';
import { refusePipeline } from '../request/restrictions.ts';
import { filteredRead, filteredWrite } from './filtered-documents.ts';

const READ: Action = 'indices:data/read/get';
const WRITE: Action = 'indices:data/write/bulk';

/** GET and HEAD of documents and sources. */
export async function readDocument(asked: Forwarded, handle: Route['handle']): Promise<Reply> {
  const { call } = asked;
  const { index: name = '' } = call.path;
  asked.caller.require('read', READ, name);
  if (asked.caller.filter !== undefined) return await filteredRead(asked, handle);
  return await forward(asked, { index: await asked.caller.onePath(name), repeatable: true });
}

/** Writes of one document. */
export async function writeDocument(asked: Forwarded, handle: Route['handle']): Promise<Reply> {
  const { call } = asked;
  const { index: name = '' } = call.path;
  asked.caller.require('write', WRITE, name);
  if (asked.caller.filter !== undefined) return await filteredWrite(asked, handle);
  refusePipeline(asked.caller, call.params.has('pipeline'));
  // An alias that is required stays one: what it leads to was checked just now.
  const required = call.params.boolean('require_alias') === true;
  const index = await asked.caller.writablePath(name, WRITE);
  const changes = { index: required ? undefined : index };
  if (!(await asked.news.areFollowed())) return replyOf(await askWrite(asked, changes), call);
  const { request, documents } = namedWrite(call, asked.route);
  const { route, ...named } = request;
  return replyOf(await askWrite({ ...asked, route }, { ...changes, ...named }, documents), call);
}
