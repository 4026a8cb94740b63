// What is about to be written, before the cluster has said anything? Index and id of every document of a request. Those
// that came without an id get one here: what nobody can name nobody can look for.

import { type JsonObject, type JsonValue, newId, parseJson, type WriteOp } from '@octavo/engine';
import type { IntendedDocument } from '@octavo/records';
import { dateMathName } from '../../patterns/date-name.ts';
import { isObject } from '../../wire/router/json-body.ts';
import type { Call } from '../../wire/router/route.ts';
import { isBlank, NEWLINE } from '../client/bulk-lines.ts';
import { firstMemberEnd, membersAt, wholeOf } from '../client/raw-json.ts';

/** A request with ids, and what it is about to write. */
export interface Named<T> {
  readonly request: T;
  readonly documents: readonly IntendedDocument[];
}

/** With one of these and no id the cluster refuses a write, in its own words. */
const NEEDS_ID = ['version', 'version_type', 'if_seq_no', 'if_primary_term'];

/** What the cluster is told otherwise than it came. */
export interface NamedWrite {
  readonly route: string;
  /** The id that it got here. */
  readonly path: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
}

/** A write of one document. */
export function namedWrite(call: Call, route: string): Named<NamedWrite> {
  const { index = '', id = '' } = call.path;
  const routing = call.params.string('routing');
  if (route !== '/{index}/_doc') {
    const isCreate = route.includes('/_create/') || call.params.string('op_type') === 'create';
    const isUpdate = route.includes('/_update/');
    const kind = call.method === 'DELETE' ? 'delete' : isUpdate ? 'update' : isCreate ? 'create' : 'index';
    return { request: { route, path: {}, params: {} }, documents: documentOf(kind, index, id, routing) };
  }
  if (NEEDS_ID.some((name) => call.params.has(name)))
    return { request: { route, path: {}, params: {} }, documents: [] };
  const given = newId();
  // As the cluster has it where it gives the id itself.
  const params: Record<string, string> = call.params.has('op_type') ? {} : { op_type: 'create' };
  return {
    request: { route: '/{index}/_doc/{id}', path: { id: given }, params },
    documents: documentOf('create', index, given, routing),
  };
}

/** Writes of a body of `_bulk`, as far as they can be read: what cannot the cluster refuses, all of it. O(bytes). */
export function namedBulk(
  body: Uint8Array,
  path: string | undefined,
  routing: string | undefined,
): Named<Uint8Array> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const documents: IntendedDocument[] = [];
  const out: Uint8Array[] = [];
  /** Up to where `out` has it. */
  let from = 0;
  let head: Head | undefined;
  const endOf = (at: number): number => {
    const end = bytes.indexOf(NEWLINE, at);
    return end < 0 ? bytes.length : end;
  };
  for (let at = 0; at < bytes.length; ) {
    const end = endOf(at);
    const line = bytes.subarray(at, end);
    if (isBlank(line)) {
      at = end + 1;
      continue;
    }
    // Of lines without ids most are the same.
    if (head === undefined || !head.isForAny || !head.line.equals(line)) head = headOf(line, path, routing);
    if (head === undefined) return { request: body, documents };
    const { kind, index, by, isForAny } = head;
    const id = isForAny ? newId() : head.id;
    if (isForAny) {
      out.push(bytes.subarray(from, at), head.before, Buffer.from(`"${id}"`), head.after);
      from = end;
    }
    if (index !== undefined && id !== undefined) documents.push({ kind, index, id, ...by });
    at = end + 1;
    if (kind === 'delete') continue;
    if (at >= bytes.length) return { request: body, documents };
    at = endOf(at) + 1;
  }
  // A body that does not end in a line end is refused as a whole.
  if (from === 0 || bytes.at(-1) !== NEWLINE) return { request: body, documents };
  out.push(bytes.subarray(from));
  return { request: Buffer.concat(out), documents };
}

/** What an action line says. */
interface Head {
  readonly line: Buffer;
  readonly kind: IntendedDocument['kind'];
  /** Undefined, as the id, where the cluster refuses it. */
  readonly index: string | undefined;
  readonly id: string | undefined;
  readonly by: { readonly routing?: string };
  /** True where it has no id and takes any: then it is `before`, the id and `after`. */
  readonly isForAny: boolean;
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Stands for an id. */
const ANY = '@any-id@';
const NOTHING = Buffer.alloc(0);
/** Whole numbers that doubles do not hold. */
const LONG = /\d{16}/;

const CLOSE = Buffer.from('}');

/** Undefined for what is no action. */
function headOf(line: Buffer, path: string | undefined, routing: string | undefined): Head | undefined {
  const whole = readLine(line);
  if (whole !== undefined) return headSaid(line, whole, line, path, routing);
  // The cluster reads up to the end of its first member, and takes anything behind that for nothing.
  const end = firstMemberEnd(line);
  if (end === undefined) return undefined;
  const closed = Buffer.concat([line.subarray(0, end), CLOSE]);
  const said = readLine(closed);
  const head = said === undefined ? undefined : headSaid(line, said, closed, path, routing);
  if (head === undefined || !head.isForAny) return head;
  return { ...head, after: Buffer.concat([head.after.subarray(0, -CLOSE.length), line.subarray(end)]) };
}

function readLine(line: Buffer): JsonValue | undefined {
  try {
    const text = line.toString('utf8');
    return LONG.test(text) ? parseJson(line) : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

/** What a line says; `closed` is the line as JSON. */
function headSaid(
  line: Buffer,
  said: JsonValue,
  closed: Buffer,
  path: string | undefined,
  routing: string | undefined,
): Head | undefined {
  const [[name = '', members] = []] = isObject(said) ? Object.entries(said) : [];
  const kind = isObject(members) ? kindOf(name, members) : undefined;
  if (kind === undefined || !isObject(members)) return undefined;
  const meta: JsonObject = members;
  const isForAny =
    meta['_id'] == null &&
    (kind === 'index' || kind === 'create') &&
    !NEEDS_ID.some((member) => meta[member] != null);
  const given = isForAny ? ANY : meta['_id'];
  const [document] = documentOf(kind, meta['_index'] ?? path, given, meta['routing'] ?? routing);
  const [before, after] = isForAny ? aroundId(closed, name) : [NOTHING, NOTHING];
  return {
    ...{ line, kind, isForAny, before, after },
    ...{ index: document?.index, id: document?.id },
    by: document?.routing === undefined ? {} : { routing: document.routing },
  };
}

/** A line on both sides of the id that it does not have, otherwise as it came: what the cluster refuses of it is still there. */
function aroundId(line: Buffer, name: string): readonly [before: Buffer, after: Buffer] {
  const at = membersAt(line, wholeOf(line)).get(name)!;
  const members = membersAt(line, at);
  const none = members.get('_id');
  if (none !== undefined) return [line.subarray(0, none.start), line.subarray(none.end)];
  const comma = Buffer.from(members.size === 0 ? '' : ',');
  return [
    Buffer.concat([line.subarray(0, at.start + 1), Buffer.from('"_id":')]),
    Buffer.concat([comma, line.subarray(at.start + 1)]),
  ];
}

/** Writes of the engine's own kind, with an id each. */
export function namedOps(ops: readonly WriteOp[]): Named<readonly WriteOp[]> {
  const request = ops.map((op) =>
    op.id === undefined && op.kind !== 'delete' ? { ...op, id: newId() } : op,
  );
  return {
    request,
    documents: request.flatMap(({ kind, index, id, routing }) => documentOf(kind, index, id, routing)),
  };
}

function kindOf(name: string, { op_type: opType }: JsonObject): IntendedDocument['kind'] | undefined {
  if (name === 'index' && opType === 'create') return 'create';
  return name === 'index' || name === 'create' || name === 'update' || name === 'delete' ? name : undefined;
}

/** Nothing where index or id is missing: the cluster refuses it. */
function documentOf(
  kind: IntendedDocument['kind'],
  index: unknown,
  id: unknown,
  routing: unknown,
): IntendedDocument[] {
  if (index == null || index === '' || id == null || id === '') return [];
  const name = plainName(String(index));
  if (name === undefined) return [];
  const by = routing == null ? {} : { routing: String(routing) };
  return [{ kind, index: name, id: String(id), ...by }];
}

/** What a name with dates is now: by the time that somebody looks it may be another one. */
function plainName(name: string): string | undefined {
  try {
    return dateMathName(name);
  } catch {
    return undefined;
  }
}
