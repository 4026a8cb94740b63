// How are single documents read and written over the cluster? By the one index that their name means; through a document
// filter only as far as it can be held against them.

import type { Action } from '../../access/guard/rules.ts';
import type { Call, Reply, Route, Services } from '../route.ts';
import { filteredRead, filteredWrite } from './filtered.ts';
import { type ClusterServices, forward, forwarded } from './forward.ts';

const READ: Action = 'indices:data/read/get';
const WRITE: Action = 'indices:data/write/bulk';

/** GET and HEAD of documents and sources. */
export async function readDocument(
  call: Call,
  services: Services,
  own: ClusterServices,
  route: string,
  handle: Route['handle'],
): Promise<Reply> {
  const asked = forwarded(call, services, own, route);
  const { index: name = '' } = call.path;
  asked.caller.require('read', READ, name);
  if (asked.caller.filter !== undefined) return await filteredRead(asked, handle);
  return await forward(asked, { index: await asked.caller.onePath(name), repeatable: true });
}

/** Writes of one document. */
export async function writeDocument(
  call: Call,
  services: Services,
  own: ClusterServices,
  route: string,
  handle: Route['handle'],
): Promise<Reply> {
  const asked = forwarded(call, services, own, route);
  const { index: name = '' } = call.path;
  asked.caller.require('write', WRITE, name);
  if (asked.caller.filter !== undefined) return await filteredWrite(asked, handle);
  // An alias that is required stays one: what it leads to was checked just now.
  const required = call.params.boolean('require_alias') === true;
  const index = await asked.caller.writablePath(name, WRITE);
  return await forward(asked, { index: required ? undefined : index, repeatable: false });
}
