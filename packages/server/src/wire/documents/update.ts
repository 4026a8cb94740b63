// Partial updates: reads their body, whose `doc` and `upsert` go to the engine as the bytes that they are.

import {
  EngineError,
  illegalArgument,
  isObject,
  jsonScanner,
  readScript,
  type UpdateSpec,
  type WriteOp,
} from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { firstTokenName, type JsonLimits, parseBody } from '../../json/json-body.ts';
import type { Limits } from '../../limits.ts';
import { nearestNameHint } from '../router/query-params.ts';
import type { Call, Reply, Services } from '../router/route.ts';
import { withStoredSources } from '../scripts/stored-scripts.ts';
import { parseSourceFilter, readSourceParams, type SourceFilter } from '../source/source-filter.ts';
import {
  addComplaints,
  applyRefresh,
  parseRefresh,
  type WriteConditions,
  writeConditions,
} from './write-params.ts';
import { updatedSource, writeReply } from './write-reply.ts';

/** The body of an update. */
interface UpdateBody {
  readonly update: UpdateSpec;
  readonly source: SourceFilter | undefined;
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
}

/** POST `/{index}/_update/{id}`. */
export async function updateDocument(call: Call, { engine, limits }: Services): Promise<Reply> {
  const { index = '', id = '', type } = call.path;
  const body = readUpdate(call.body, limits);
  const conditions = { ...writeConditions(call.params), ...compareAndSet(body) };
  const retries = call.params.integer('retry_on_conflict');
  const refresh = parseRefresh(call.params);
  const update: UpdateSpec = {
    ...body.update,
    ...(retries === undefined ? {} : { retryOnConflict: retries }),
  };
  const complaints: string[] = [];
  addUpdateComplaints(update, { ...conditions, kind: 'update', id }, limits, complaints);
  throwIfInvalid(complaints);
  const op: WriteOp = {
    kind: 'update',
    index,
    id,
    update,
    ...(type === undefined ? {} : { type }),
    ...conditions,
  };
  const [result] = await engine.write(withStoredSources(engine, [op]));
  if (result!.error === undefined) await applyRefresh(engine, refresh, [result!.index]);
  const get = updatedSource(result!, body.source ?? readSourceParams(call.params));
  return writeReply(engine, result!, refresh, conditions.routing, get);
}

/** Adds the complaints that the peer has about an update before it looks for the document. */
export function addUpdateComplaints(
  update: UpdateSpec,
  op: WriteConditions & Pick<WriteOp, 'kind' | 'id'>,
  limits: Pick<Limits, 'idBytes'>,
  out: string[],
): void {
  const { doc, docAsUpsert, retryOnConflict, script } = update;
  const cas = op.ifSeqNo !== undefined || op.ifPrimaryTerm !== undefined;
  if (op.version !== undefined || (op.versionType ?? 'internal') !== 'internal') {
    out.push(
      'internal versioning can not be used for optimistic concurrency control. ' +
        'Please use `if_seq_no` and `if_primary_term` instead',
    );
  }
  addComplaints(withoutVersion(op), limits, out);
  if (cas && (retryOnConflict ?? 0) > 0) out.push('compare and write operations can not be retried');
  if (cas && docAsUpsert === true) out.push('compare and write operations can not be used with upsert');
  if (cas && update.upsert !== undefined)
    out.push("upsert requests don't support `if_seq_no` and `if_primary_term`");
  if (script === undefined && doc === undefined) out.push('script or doc is missing');
  if (script !== undefined && doc !== undefined) out.push("can't provide both script and doc");
  if (doc === undefined && docAsUpsert === true)
    out.push('doc must be specified if doc_as_upsert is enabled');
}

/** Versions are complained about in other words. */
function withoutVersion(
  op: WriteConditions & Pick<WriteOp, 'kind' | 'id'>,
): WriteConditions & Pick<WriteOp, 'kind' | 'id'> {
  if (op.version === undefined && op.versionType === undefined) return op;
  const { version: _version, versionType: _versionType, ...rest } = op;
  return rest;
}

/** `if_seq_no` and `if_primary_term` of the body. */
function compareAndSet(body: UpdateBody): WriteConditions {
  return {
    ...(body.ifSeqNo === undefined ? {} : { ifSeqNo: body.ifSeqNo }),
    ...(body.ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm: body.ifPrimaryTerm }),
  };
}

/**
 * Reads the body of an update of limited depth. Throws json_parse_exception, and x_content_parse_exception
 * for unknown members.
 */
export function readUpdate(bytes: Uint8Array, limits: JsonLimits): UpdateBody {
  const update = plainUpdate(bytes, limits.nesting);
  if (update === undefined) return readTree(bytes, limits);
  return { update, source: undefined, ifSeqNo: undefined, ifPrimaryTerm: undefined };
}

/**
 * Reads a body of documents and flags only, as most are, without a tree; undefined for other bodies, also
 * malformed ones.
 */
function plainUpdate(bytes: Uint8Array, nesting: number): UpdateSpec | undefined {
  const found: { -readonly [K in keyof UpdateSpec]: UpdateSpec[K] } = {};
  const { KEY, OBJECT_START, OBJECT_END, END, TRUE, FALSE } = jsonScanner;
  try {
    scanner.reset(bytes, 0, bytes.length, nesting);
    if (scanner.next() !== OBJECT_START) return undefined;
    let token = scanner.next();
    for (; token === KEY; token = scanner.next()) {
      const name = scanner.keys.text(scanner.key);
      const value = scanner.next();
      if (name === 'doc' || name === 'upsert') {
        if (value !== OBJECT_START) return undefined;
        const start = scanner.position - 1;
        scanner.skip();
        found[name] = bytes.subarray(start, scanner.position);
      } else if (value !== TRUE && value !== FALSE) return undefined;
      else if (name === 'doc_as_upsert') found.docAsUpsert = value === TRUE;
      else if (name === 'detect_noop') found.detectNoop = value === TRUE;
      else return undefined;
    }
    return token === OBJECT_END && scanner.next() === END ? found : undefined;
  } catch (error) {
    // Reading it as a tree gives the error.
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

function readTree(bytes: Uint8Array, limits: JsonLimits): UpdateBody {
  const tree = parseBody(bytes, limits) ?? {};
  if (!isObject(tree)) throw unfitMember('', `Expected START_OBJECT but was: ${firstTokenName(tree)}`);
  const ranges = memberRanges(bytes);
  const document = (name: string): Uint8Array | undefined => {
    const value = tree[name];
    if (value === undefined) return undefined;
    if (firstTokenName(value) === 'START_OBJECT') return ranges.get(name);
    throw unfitMember(name, `doesn't support values of type: ${firstTokenName(value)}`);
  };
  const flag = (name: string): boolean | undefined => {
    const value = tree[name];
    if (value === undefined || typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    if (typeof value === 'string') {
      throw new EngineError('x_content_parse_exception', `[UpdateRequest] failed to parse field [${name}]`, {
        causedBy: illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`),
      });
    }
    throw unfitMember(name, `doesn't support values of type: ${firstTokenName(value)}`);
  };
  const number = (name: string): number | undefined => {
    const value = tree[name];
    if (value === undefined || typeof value === 'number') return value;
    throw unfitMember(name, `doesn't support values of type: ${firstTokenName(value)}`);
  };
  for (const name of Object.keys(tree)) {
    if (!UPDATE_MEMBERS.has(name)) {
      throw new EngineError(
        'x_content_parse_exception',
        `[UpdateRequest] unknown field [${name}]${nearestNameHint(name, [...UPDATE_MEMBERS])}`,
      );
    }
  }
  const [doc, upsert] = [document('doc'), document('upsert')];
  const [docAsUpsert, detectNoop] = [flag('doc_as_upsert'), flag('detect_noop')];
  const scriptedUpsert = flag('scripted_upsert');
  const script = tree['script'] === undefined ? undefined : readScript(tree, 'script', 'UpdateRequest');
  return {
    update: {
      ...(doc === undefined ? {} : { doc }),
      ...(upsert === undefined ? {} : { upsert }),
      ...(docAsUpsert === undefined ? {} : { docAsUpsert }),
      ...(detectNoop === undefined ? {} : { detectNoop }),
      ...(script === undefined ? {} : { script }),
      ...(scriptedUpsert === undefined ? {} : { scriptedUpsert }),
    },
    source: tree['_source'] === undefined ? undefined : parseSourceFilter(tree['_source']),
    ifSeqNo: number('if_seq_no'),
    ifPrimaryTerm: number('if_primary_term'),
  };
}

const UPDATE_MEMBERS: ReadonlySet<string> = new Set([
  'doc',
  'upsert',
  'doc_as_upsert',
  'detect_noop',
  'scripted_upsert',
  'script',
  '_source',
  'if_seq_no',
  'if_primary_term',
  'lang',
]);

const scanner = new jsonScanner.Scanner();

/** The byte ranges of the object members of an object. */
function memberRanges(bytes: Uint8Array): Map<string, Uint8Array> {
  const out = new Map<string, Uint8Array>();
  if (bytes.length === 0) return out;
  scanner.reset(bytes, 0, bytes.length);
  scanner.next();
  for (let token = scanner.next(); token === jsonScanner.KEY; token = scanner.next()) {
    const name = scanner.keys.text(scanner.key);
    if (scanner.next() !== jsonScanner.OBJECT_START) {
      scanner.skip();
      continue;
    }
    const start = scanner.position - 1;
    scanner.skip();
    out.set(name, bytes.subarray(start, scanner.position));
  }
  return out;
}

function unfitMember(name: string, why: string): EngineError {
  return new EngineError(
    'x_content_parse_exception',
    `[UpdateRequest] ${name === '' ? '' : `${name} `}${why}`,
  );
}
