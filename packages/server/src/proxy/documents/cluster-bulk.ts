// How are many writes sent to the cluster? As they came where the caller may touch all; else with the index of each
// action resolved, and without those that it may not touch, which fail alone and in their places.

import { EngineError, type JsonObject, parseJson, stringifyJson } from '@octavo/engine';
import type { Action } from '../../access/guard/rules.ts';
import { asEngineError, errorObject } from '../../errors/body.ts';
import { type BulkAction, BulkActions } from '../../wire/documents/bulk-lines.ts';
import { isObject } from '../../wire/router/json-body.ts';
import type { Reply, ReplyObject, ReplyValue, Route } from '../../wire/router/route.ts';
import { namedBulk } from '../change-events/write-intents.ts';
import { isBlank, linesOf, NEWLINE, withoutMarks } from '../client/bulk-lines.ts';
import { ClusterAnswered } from '../client/cluster.ts';
import { elementsAt, membersAt, rawAt, wholeOf } from '../client/raw-json.ts';
import type { NodeAnswer } from '../client/send.ts';
import { askWrite, type Forwarded, replyOf } from '../request/forward.ts';
import { refusePipeline } from '../request/restrictions.ts';
import { filteredWrite } from './filtered-documents.ts';

const WRITE: Action = 'indices:data/write/bulk';

/** `_bulk`. */
export async function bulk(asked: Forwarded, handle: Route['handle']): Promise<Reply> {
  const { call, caller } = asked;
  caller.require('write', WRITE);
  if (caller.filter !== undefined) return await filteredWrite(asked, handle);
  const whole = withoutMarks(call.body);
  if (caller.seesAll) return replyOf(await askLines(asked, whole), call);
  refusePipeline(caller, call.params.has('pipeline'));
  // Reads all of it as strictly as the embedded store does, before anything is written.
  const kinds: BulkAction['kind'][] = [];
  const actions = new BulkActions(whole);
  for (let action = actions.next(); action !== undefined; action = actions.next()) kinds.push(action.kind);
  const lines = linesOf(whole);
  const refused = new Map<number, ReplyObject>();
  const passed: Uint8Array[] = [];
  for (const [i, kind] of kinds.entries()) {
    let line = next(lines);
    // Between actions blank lines say nothing; behind an action they are its source.
    while (isBlank(line)) line = next(lines);
    // Its name and, by an `op_type`, its kind may differ.
    const [[name = kind, said] = []] = Object.entries(parseJson(line) as JsonObject);
    const source = kind === 'delete' ? undefined : next(lines);
    const meta = isObject(said) ? said : {};
    const target = String(meta['_index'] ?? call.path['index'] ?? '');
    try {
      refusePipeline(caller, meta['pipeline'] !== undefined);
      // Never sent: whoever skips it reads what follows as something else.
      if (source !== undefined && isBlank(source))
        throw new EngineError('mapper_parsing_exception', 'failed to parse, document is empty');
      const index = target === '' ? target : await caller.writable(target, WRITE);
      const required = meta['require_alias'] === true || call.params.has('require_alias');
      passed.push(
        Buffer.from(stringifyJson({ [name]: { ...meta, _index: required ? target : index } }), 'utf8'),
      );
      if (source !== undefined) passed.push(source);
    } catch (thrown) {
      if (thrown instanceof ClusterAnswered) throw thrown;
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
  const answer = await askLines({ ...asked, route: '/_bulk' }, body);
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const members = membersAt(answer.body, wholeOf(answer.body));
  const list = members.get('items');
  const written = list === undefined ? [] : elementsAt(answer.body, list);
  let at = 0;
  const items: ReplyValue[] = kinds.map(
    (_, i) => refused.get(i) ?? rawAt(answer.body, written[at++] ?? { start: 0, end: 0 }),
  );
  const errors = refused.size > 0 ? true : rawAt(answer.body, members.get('errors')!);
  return { body: { took: rawAt(answer.body, members.get('took')!), errors, items } };
}

/** Sends a body on; while events are followed with an id for each document, and noted before. */
async function askLines(asked: Forwarded, body: Uint8Array): Promise<NodeAnswer> {
  const { call, news, route } = asked;
  // A body of white space is none.
  const changesWith = (bytes: Uint8Array) => (bytes === call.body ? {} : { body: bytes });
  if (!(await news.areFollowed())) return await askWrite(asked, changesWith(body));
  const path = route === '/_bulk' ? undefined : call.path['index'];
  const { request, documents } = namedBulk(body, path, call.params.string('routing'));
  return await askWrite(asked, changesWith(request), documents);
}

/** REQUIRES: there is one, as the reader of the actions has seen. */
function next(lines: Iterator<Uint8Array>): Uint8Array {
  return lines.next().value as Uint8Array;
}
