// Reads index and id of every document of a write before it is sent, and assigns an id to documents without
// one: a document without a known id could not be looked up later.

import { isObject, type JsonObject, type JsonValue, newId, parseJson, type WriteOp } from '@octavo/engine';
import type { IntendedDocument } from '@octavo/records';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import type { Call } from '../../wire/router/route.ts';
import { isBlank, NEWLINE } from '../client/bulk-lines.ts';
import { firstMemberEnd, membersAt, wholeRange } from '../client/raw-json.ts';

/** A write whose documents all have ids, and these documents. */
interface IntendedWrite<T> {
  readonly write: T;
  readonly documents: readonly IntendedDocument[];
}

/** The cluster refuses a write that has one of these but no id; its own message is passed on. */
const NEEDS_ID = ['version', 'version_type', 'if_seq_no', 'if_primary_term'];

/** What is changed in a write of one document. */
interface SingleWrite {
  readonly route: string;
  /** The assigned id. */
  readonly path: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
}

/** Reads a write of one document. */
export function assignId(call: Call, route: string): IntendedWrite<SingleWrite> {
  const { index = '', id = '' } = call.path;
  const routing = call.params.string('routing');
  if (route !== '/{index}/_doc') {
    const isCreate = route.includes('/_create/') || call.params.string('op_type') === 'create';
    const isUpdate = route.includes('/_update/');
    const kind = call.method === 'DELETE' ? 'delete' : isUpdate ? 'update' : isCreate ? 'create' : 'index';
    return { write: { route, path: {}, params: {} }, documents: intendedDocument(kind, index, id, routing) };
  }
  if (NEEDS_ID.some((name) => call.params.has(name)))
    return { write: { route, path: {}, params: {} }, documents: [] };
  const given = newId();
  // The cluster sets this when it assigns the id itself.
  const params: Record<string, string> = call.params.has('op_type') ? {} : { op_type: 'create' };
  return {
    write: { route: '/{index}/_doc/{id}', path: { id: given }, params },
    documents: intendedDocument('create', index, given, routing),
  };
}

/**
 * Reads a `_bulk` body up to the first line that is malformed; the cluster refuses such a body as a whole.
 * O(bytes).
 */
export function assignBulkIds(
  body: Uint8Array,
  path: string | undefined,
  routing: string | undefined,
): IntendedWrite<Uint8Array> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const documents: IntendedDocument[] = [];
  const out: Uint8Array[] = [];
  /** `out` holds the body up to here. */
  let from = 0;
  let head: ActionLine | undefined;
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
    // Bulk bodies without ids mostly repeat the same action line.
    if (head === undefined || !head.needsId || !head.line.equals(line))
      head = readActionLine(line, path, routing);
    if (head === undefined) return { write: body, documents };
    const { kind, index, by, needsId } = head;
    const id = needsId ? newId() : head.id;
    if (needsId) {
      out.push(bytes.subarray(from, at), head.before, Buffer.from(`"${id}"`), head.after);
      from = end;
    }
    if (index !== undefined && id !== undefined) documents.push({ kind, index, id, ...by });
    at = end + 1;
    if (kind === 'delete') continue;
    if (at >= bytes.length) return { write: body, documents };
    at = endOf(at) + 1;
  }
  // The cluster refuses a body that does not end with a newline.
  if (from === 0 || bytes.at(-1) !== NEWLINE) return { write: body, documents };
  out.push(bytes.subarray(from));
  return { write: Buffer.concat(out), documents };
}

/** A parsed action line. */
interface ActionLine {
  readonly line: Buffer;
  readonly kind: IntendedDocument['kind'];
  /** Like the id, undefined if the cluster refuses the line. */
  readonly index: string | undefined;
  readonly id: string | undefined;
  readonly by: { readonly routing?: string };
  /** True if the line has no id and needs one: it is then printed as `before`, the id, `after`. */
  readonly needsId: boolean;
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Stands for the id in a line that will get one. */
const ID_PLACEHOLDER = '@any-id@';
const NOTHING = Buffer.alloc(0);
/** Integers that doubles cannot represent. */
const LONG = /\d{16}/;

const CLOSE = Buffer.from('}');

/** Undefined for a line that is no action. */
function readActionLine(
  line: Buffer,
  path: string | undefined,
  routing: string | undefined,
): ActionLine | undefined {
  const whole = readLine(line);
  if (whole !== undefined) return actionLineOf(line, whole, line, path, routing);
  // The cluster reads an action only to the end of its first member and ignores the rest of the line.
  const end = firstMemberEnd(line);
  if (end === undefined) return undefined;
  const closed = Buffer.concat([line.subarray(0, end), CLOSE]);
  const said = readLine(closed);
  const head = said === undefined ? undefined : actionLineOf(line, said, closed, path, routing);
  if (head === undefined || !head.needsId) return head;
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

/** Interprets a parsed line; `closed` is the line as valid JSON. */
function actionLineOf(
  line: Buffer,
  said: JsonValue,
  closed: Buffer,
  path: string | undefined,
  routing: string | undefined,
): ActionLine | undefined {
  const [[name = '', members] = []] = isObject(said) ? Object.entries(said) : [];
  const kind = isObject(members) ? kindOf(name, members) : undefined;
  if (kind === undefined || !isObject(members)) return undefined;
  const meta: JsonObject = members;
  const needsId =
    meta['_id'] == null &&
    (kind === 'index' || kind === 'create') &&
    !NEEDS_ID.some((member) => meta[member] != null);
  const given = needsId ? ID_PLACEHOLDER : meta['_id'];
  const [document] = intendedDocument(kind, meta['_index'] ?? path, given, meta['routing'] ?? routing);
  const [before, after] = needsId ? splitAtId(closed, name) : [NOTHING, NOTHING];
  return {
    ...{ line, kind, needsId, before, after },
    ...{ index: document?.index, id: document?.id },
    by: document?.routing === undefined ? {} : { routing: document.routing },
  };
}

/** Splits a line where the id belongs. Everything else stays, including what the cluster will refuse. */
function splitAtId(line: Buffer, name: string): readonly [before: Buffer, after: Buffer] {
  const at = membersAt(line, wholeRange(line)).get(name)!;
  const members = membersAt(line, at);
  const none = members.get('_id');
  if (none !== undefined) return [line.subarray(0, none.start), line.subarray(none.end)];
  const comma = Buffer.from(members.size === 0 ? '' : ',');
  return [
    Buffer.concat([line.subarray(0, at.start + 1), Buffer.from('"_id":')]),
    Buffer.concat([comma, line.subarray(at.start + 1)]),
  ];
}

/** Assigns ids to operations of the engine's own type. */
export function assignOpIds(ops: readonly WriteOp[]): IntendedWrite<readonly WriteOp[]> {
  const write = ops.map((op) => (op.id === undefined && op.kind !== 'delete' ? { ...op, id: newId() } : op));
  return {
    write,
    documents: write.flatMap(({ kind, index, id, routing }) => intendedDocument(kind, index, id, routing)),
  };
}

function kindOf(name: string, { op_type: opType }: JsonObject): IntendedDocument['kind'] | undefined {
  if (name === 'index' && opType === 'create') return 'create';
  return name === 'index' || name === 'create' || name === 'update' || name === 'delete' ? name : undefined;
}

/** Empty if index or id is missing: the cluster refuses the write. */
function intendedDocument(
  kind: IntendedDocument['kind'],
  index: unknown,
  id: unknown,
  routing: unknown,
): IntendedDocument[] {
  if (index == null || index === '' || id == null || id === '') return [];
  const name = resolveDateMath(String(index));
  if (name === undefined) return [];
  const by = routing == null ? {} : { routing: String(routing) };
  return [{ kind, index: name, id: String(id), ...by }];
}

/** Resolves date math now: later the name could mean another index. */
function resolveDateMath(name: string): string | undefined {
  try {
    return resolveDateMathName(name);
  } catch {
    return undefined;
  }
}
