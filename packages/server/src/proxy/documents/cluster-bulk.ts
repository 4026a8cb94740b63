// `_bulk` over a cluster. For a caller that sees everything the body is forwarded unchanged. Otherwise the
// index of each action is resolved; actions the caller may not perform are left out and fail in their place
// of the reply.

import { EngineError, isObject, type JsonObject, parseJson, stringifyJson } from '@octavo/engine';
import type { Action } from '../../access/guard/caller-rules.ts';
import { asEngineError, errorObject } from '../../errors/error-body.ts';
import type { ReplyObject, ReplyValue } from '../../json/reply-value.ts';
import { type BulkAction, BulkActions, isActionKind } from '../../wire/documents/bulk-actions.ts';
import type { Reply, Route } from '../../wire/router/route.ts';
import { assignBulkIds } from '../change-events/write-intents.ts';
import { isBlank, NEWLINE, splitLines, stripByteOrderMarks } from '../client/bulk-lines.ts';
import { ClusterErrorAnswer } from '../client/peer-cluster.ts';
import { elementsAt, membersAt, rawJsonAt, wholeRange } from '../client/raw-json.ts';
import type { NodeAnswer } from '../client/send.ts';
import { type ProxyRequest, replyFrom, sendWrite } from '../request/forward.ts';
import { requireNoPipeline } from '../request/restrictions.ts';
import { filteredWrite } from './filtered-documents.ts';

const WRITE: Action = 'indices:data/write/bulk';

export async function bulk(request: ProxyRequest, handle: Route['handle']): Promise<Reply> {
  const { call, caller } = request;
  caller.require('write', WRITE);
  if (caller.filter !== undefined) return await filteredWrite(request, handle);
  const whole = stripByteOrderMarks(call.body);
  if (caller.seesAll) return replyFrom(await sendLines(request, whole), call);
  requireNoPipeline(caller, call.params.has('pipeline'));
  // Reads the body as strictly as the embedded store does, before anything is written.
  const kinds: BulkAction['kind'][] = [];
  const actions = new BulkActions(whole);
  for (let action = actions.next(); action !== undefined; action = actions.next()) kinds.push(action.kind);
  const lines = splitLines(whole);
  const refused = new Map<number, ReplyObject>();
  const passed: Uint8Array[] = [];
  for (const [i, kind] of kinds.entries()) {
    let line = next(lines);
    // Blank lines between actions mean nothing; after an action, a blank line is its source.
    while (isBlank(line)) line = next(lines);
    // The name in the line and the kind differ if the line has an `op_type`.
    const members = Object.entries(parseJson(line) as JsonObject);
    // Not the first one: a member behind the action that is named by a number comes before it here.
    const [name, said] = members.find(([key]) => isActionKind(key)) ?? [kind];
    const source = kind === 'delete' ? undefined : next(lines);
    const meta = isObject(said) ? said : {};
    const target = String(meta['_index'] ?? call.path['index'] ?? '');
    try {
      requireNoPipeline(caller, meta['pipeline'] !== undefined);
      // Not sent: a reader that skips the blank line would take the next action for the source.
      if (source !== undefined && isBlank(source))
        throw new EngineError('mapper_parsing_exception', 'failed to parse, document is empty');
      const index = target === '' ? target : await caller.resolveWriteIndex(target, WRITE);
      const required = meta['require_alias'] === true || call.params.has('require_alias');
      passed.push(
        Buffer.from(stringifyJson({ [name]: { ...meta, _index: required ? target : index } }), 'utf8'),
      );
      if (source !== undefined) passed.push(source);
    } catch (thrown) {
      if (thrown instanceof ClusterErrorAnswer) throw thrown;
      const error = asEngineError(thrown);
      const shown = {
        _index: target,
        _id: meta['_id'] ?? null,
        status: error.status,
        error: errorObject(error),
      };
      refused.set(i, { [kind]: shown });
    }
  }
  if (passed.length === 0 && refused.size > 0)
    return { body: { took: 0, errors: true, items: [...refused.values()] } };
  const body = Buffer.concat(passed.flatMap((each) => [each, Buffer.of(NEWLINE)]));
  const answer = await sendLines({ ...request, route: '/_bulk' }, body);
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const members = membersAt(answer.body, wholeRange(answer.body));
  const list = members.get('items');
  const written = list === undefined ? [] : elementsAt(answer.body, list);
  let at = 0;
  const items: ReplyValue[] = kinds.map(
    (_, i) => refused.get(i) ?? rawJsonAt(answer.body, written[at++] ?? { start: 0, end: 0 }),
  );
  const errors = refused.size > 0 ? true : rawJsonAt(answer.body, members.get('errors')!);
  return { body: { took: rawJsonAt(answer.body, members.get('took')!), errors, items } };
}

/** Sends a body. While events are followed, each document gets an id and is noted before. */
async function sendLines(request: ProxyRequest, body: Uint8Array): Promise<NodeAnswer> {
  const { call, changeEvents, route } = request;
  // A body of white space is forwarded as none.
  const changesWith = (bytes: Uint8Array) => (bytes === call.body ? {} : { body: bytes });
  if (!(await changeEvents.hasFollowers())) return await sendWrite(request, changesWith(body));
  const path = route === '/_bulk' ? undefined : call.path['index'];
  const { write, documents } = assignBulkIds(body, path, call.params.string('routing'));
  return await sendWrite(request, changesWith(write), documents);
}

/** REQUIRES: another line, as `BulkActions` has verified. */
function next(lines: Iterator<Uint8Array>): Uint8Array {
  return lines.next().value as Uint8Array;
}
