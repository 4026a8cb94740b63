// What is about to be written, before the cluster has said anything? Index and id of every document of a request. Those
// that came without an id get one here: what nobody can name nobody can look for.

import { type JsonObject, newId, parseJson, stringifyJson, type WriteOp } from '@octavo/engine';
import type { IntendedDocument } from '@octavo/records';
import { dateMathName } from '../date-name.ts';
import { isObject } from '../json-body.ts';
import { isBlank, linesOf, NEWLINE } from './bulk-body.ts';
import type { Forwarded } from './forward.ts';

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
export function namedWrite({ call, route }: Pick<Forwarded, 'call' | 'route'>): Named<NamedWrite> {
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
  const documents: IntendedDocument[] = [];
  const out: Uint8Array[] = [];
  let isNamed = false;
  try {
    const lines = linesOf(body);
    for (let line = lines.next(); line.done !== true; line = lines.next()) {
      if (isBlank(line.value)) continue;
      const [[name = '', said] = []] = Object.entries(parseJson(line.value) as JsonObject);
      const meta = isObject(said) ? said : {};
      const kind = kindOf(name, meta);
      if (kind === undefined) return { request: body, documents };
      const needs = meta['_id'] == null && (kind === 'index' || kind === 'create');
      if (needs && !NEEDS_ID.some((member) => meta[member] != null)) {
        const _id = newId();
        isNamed = true;
        out.push(Buffer.from(stringifyJson({ [name]: { ...meta, _id } }), 'utf8'));
        documents.push(...documentOf(kind, meta['_index'] ?? path, _id, meta['routing'] ?? routing));
      } else {
        out.push(line.value);
        documents.push(...documentOf(kind, meta['_index'] ?? path, meta['_id'], meta['routing'] ?? routing));
      }
      if (kind === 'delete') continue;
      const source = lines.next();
      if (source.done === true) return { request: body, documents };
      out.push(source.value);
    }
  } catch {
    return { request: body, documents };
  }
  const end = Buffer.of(NEWLINE);
  // A body that does not end in a line end is refused, and must not get one.
  const isWhole = body.at(-1) === NEWLINE;
  return {
    request: isNamed && isWhole ? Buffer.concat(out.flatMap((line) => [line, end])) : body,
    documents,
  };
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
