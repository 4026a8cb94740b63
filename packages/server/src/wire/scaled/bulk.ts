// How are many writes sent to the cluster? As they came where the caller may touch all; else with the index of each
// action resolved, and without those that it may not touch, which fail alone and in their places.

import { type JsonObject, parseJson, stringifyJson } from '@octavo/engine';
import type { Action } from '../../access/guard/rules.ts';
import { asEngineError, errorObject } from '../../errors/body.ts';
import { bulkActions } from '../bulk-lines.ts';
import { isObject } from '../json-body.ts';
import type { Reply, ReplyObject, ReplyValue, Route } from '../route.ts';
import { ClusterAnswered } from './cluster.ts';
import { filteredWrite } from './filtered.ts';
import { type Forwarded, forward, requestOf } from './forward.ts';
import { elementsAt, membersAt, rawAt, wholeOf } from './raw.ts';
import { refusePipeline } from './restricted.ts';

const WRITE: Action = 'indices:data/write/bulk';
const NEWLINE = 10;

/** `_bulk`. */
export async function bulk(asked: Forwarded, handle: Route['handle']): Promise<Reply> {
  const { call, caller } = asked;
  caller.require('write', WRITE);
  if (caller.filter !== undefined) return await filteredWrite(asked, handle);
  if (caller.seesAll) return await forward(asked, { repeatable: false });
  refusePipeline(caller, call.params.has('pipeline'));
  // Reads all of it as strictly as the embedded store does, before anything is written.
  const kinds = [...bulkActions(call.body)].map(({ kind }) => kind);
  const lines = linesOf(call.body);
  const refused = new Map<number, ReplyObject>();
  const passed: Uint8Array[] = [];
  let line = 0;
  for (const [i, kind] of kinds.entries()) {
    const action = parseJson(lines[line++]!) as JsonObject;
    const source = kind === 'delete' ? undefined : lines[line++];
    const meta = isObject(action[kind]) ? action[kind] : {};
    const name = String(meta['_index'] ?? call.path['index'] ?? '');
    try {
      refusePipeline(caller, meta['pipeline'] !== undefined);
      const index = name === '' ? name : await caller.writable(name, WRITE);
      const required = meta['require_alias'] === true || call.params.has('require_alias');
      passed.push(
        Buffer.from(stringifyJson({ [kind]: { ...meta, _index: required ? name : index } }), 'utf8'),
      );
      if (source !== undefined) passed.push(source);
    } catch (thrown) {
      if (thrown instanceof ClusterAnswered) throw thrown;
      const error = asEngineError(thrown);
      const shown = {
        _index: name,
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
  const answer = await asked.cluster.ask(
    requestOf({ ...asked, route: '/_bulk' }, { body, repeatable: false }),
  );
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const members = membersAt(answer.body, wholeOf(answer.body));
  const list = members.get('items');
  const written = list === undefined ? [] : elementsAt(answer.body, list);
  let next = 0;
  const items: ReplyValue[] = kinds.map(
    (_, i) => refused.get(i) ?? rawAt(answer.body, written[next++] ?? { start: 0, end: 0 }),
  );
  const errors = refused.size > 0 ? true : rawAt(answer.body, members.get('errors')!);
  return { body: { took: rawAt(answer.body, members.get('took')!), errors, items } };
}

/** Lines that are not blank, as views. */
function linesOf(body: Uint8Array): Uint8Array[] {
  const out: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(NEWLINE, at);
    const line = body.subarray(at, end < 0 ? body.length : end);
    if (line.some((byte) => byte > 32)) out.push(line);
    at = end < 0 ? body.length : end + 1;
  }
  return out;
}
