// How are many writes made in one request? NDJSON in, one item per action out, each with a fate of its own.

import { type Engine, type EngineError, illegalArgument, Turn, type WriteOp } from '@octavo/engine';
import { errorObject } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { giveShared } from '../../http/shared-bodies.ts';
import type { Limits } from '../../limits.ts';
import { requireBody } from '../router/require-body.ts';
import type { Call, RawJson, Reply, ReplyObject, Route, Services } from '../router/route.ts';
import { BulkItems } from './bulk-items.ts';
import { type BulkAction, BulkActions, NO_CONDITIONS } from './bulk-lines.ts';
import { SOURCE_PARAMS, type SourceSpec, sourceParams } from './source-spec.ts';
import { casOf, plainUpdate, readUpdate, refuseScript, updateComplaints } from './update.ts';
import {
  applyRefresh,
  complaintsOf,
  parseRefresh,
  type Refresh,
  refuseAbsentCopies,
} from './write-params.ts';
import { placed, typeMember, updatedSource } from './write-reply.ts';

const BULK_PARAMS = [
  ...SOURCE_PARAMS,
  'pipeline',
  'refresh',
  'require_alias',
  'routing',
  'timeout',
  'type',
  'wait_for_active_shards',
  'batch_size',
];

/** The rows of this family. */
export const bulkRoutes: readonly Route[] = [
  { methods: ['POST', 'PUT'], path: '/_bulk', params: BULK_PARAMS, sharesBody: true, handle: bulk },
  { methods: ['POST', 'PUT'], path: '/{index}/_bulk', params: BULK_PARAMS, sharesBody: true, handle: bulk },
  {
    methods: ['POST', 'PUT'],
    path: '/{index}/{type}/_bulk',
    params: BULK_PARAMS,
    sharesBody: true,
    handle: bulk,
  },
  {
    methods: ['POST', 'PUT'],
    path: '/{index}/_doc/_bulk',
    params: BULK_PARAMS,
    sharesBody: true,
    handle: bulk,
  },
];

/** What one action became: an operation to write, or an error of its own. */
interface Item {
  readonly action: BulkAction['kind'];
  readonly index: string;
  readonly id: string | undefined;
  readonly type: string;
  readonly shown: SourceSpec | undefined;
  readonly op: WriteOp | undefined;
  readonly error: EngineError | undefined;
}

/** The items of a body, and the operations of those that have one, in their order. */
interface Items {
  /** Undefined where all is said by the operation, as it is of most. */
  readonly items: readonly (Item | undefined)[];
  readonly ops: readonly WriteOp[];
}

/** Between so many items, less one, nobody looks at the clock. */
const FEW = 15;

async function bulk(call: Call, services: Services): Promise<Reply> {
  const started = performance.now();
  requireBody(call);
  refuseAbsentCopies(call.params.string('wait_for_active_shards'));
  const refresh = parseRefresh(call.params);
  const written = await write(services.engine, await readItems(call, services.limits), refresh);
  // It is in the log, and what is told of it is printed.
  giveShared(call.body);
  return {
    body: { took: Math.round(performance.now() - started), errors: written.failed, items: written.items },
  };
}

async function write(
  engine: Engine,
  { items, ops }: Items,
  refresh: Refresh,
): Promise<{ failed: boolean; items: RawJson }> {
  const results = ops.length === 0 ? [] : await engine.write(ops);
  const touched = new Set<string>();
  for (const result of results) if (result.error === undefined) touched.add(result.index);
  await applyRefresh(engine, refresh, [...touched]);
  const out = new BulkItems(engine, refresh === 'forced', items.length);
  let failed = false;
  let next = 0;
  let told = 0;
  const turn = new Turn();
  // In this turn the commit was published.
  await turn.apart();
  for (const item of items) {
    if ((++told & FEW) === 0 && turn.over()) await turn.next();
    const op = item === undefined ? ops[next]! : item.op;
    const result = op === undefined ? undefined : results[next++];
    const error = item?.error ?? result?.error;
    if (error !== undefined) {
      failed = true;
      const told = item ?? itemOf(op!);
      const shown = placed(error, engine, result?.index || told.index);
      out.tree(told.action, errorItem(told, shown, result?.index, result?.id));
      continue;
    }
    const get = item?.shown === undefined ? undefined : updatedSource(result!, item.shown);
    const action = item?.action ?? op!.kind;
    if (get === undefined) out.written(action, result!);
    else out.withGet(action, result!, get);
  }
  // To send it takes as long as a slice or two.
  await turn.apart();
  return { failed, items: out.end() };
}

function errorItem(
  item: Item,
  error: EngineError,
  index: string | undefined,
  id: string | undefined,
): ReplyObject {
  return {
    _index: index || item.index,
    ...typeMember(item.type),
    _id: item.id ?? (id || null),
    status: error.status,
    error: errorObject(error),
  };
}

/** Reads the whole body before anything is written: a malformed line refuses all of it. */
async function readItems(call: Call, limits: Limits): Promise<Items> {
  const limit = limits.bulkItems;
  const { index, type } = call.path;
  const routing = call.params.string('routing');
  const requireAlias = call.params.boolean('require_alias');
  const pipeline = call.params.string('pipeline');
  const shown = sourceParams(call.params);
  const plain = routing === undefined && requireAlias === undefined && pipeline === undefined;
  const out: (Item | undefined)[] = [];
  const ops: WriteOp[] = [];
  const complaints: string[] = [];
  const turn = new Turn();
  // In this turn the last of the body came.
  await turn.apart();
  const actions = new BulkActions(call.body);
  for (let action = actions.next(); action !== undefined; action = actions.next()) {
    if ((out.length & FEW) === FEW && turn.over()) await turn.next();
    if (out.length >= limit) throw illegalArgument(`more than [${limit}] actions in one bulk request`);
    const op = plain ? plainOp(action, index, type, shown, limits) : undefined;
    if (op !== undefined) {
      out.push(undefined);
      ops.push(op);
      continue;
    }
    const conditions = {
      ...(routing === undefined ? {} : { routing }),
      ...(requireAlias === undefined ? {} : { requireAlias }),
      ...action.conditions,
    };
    const whole = {
      ...action,
      index: action.index ?? index,
      type: action.type ?? type,
      pipeline: action.pipeline ?? pipeline,
      shown: action.shown ?? shown,
      conditions,
    };
    const item = readItem(whole, complaints, limits);
    out.push(item);
    if (item.op !== undefined) ops.push(item.op);
  }
  if (out.length === 0) throwIfInvalid(['no requests added']);
  throwIfInvalid(complaints);
  return { items: out, ops };
}

/** Bytes that a character of an id may have. */
const CHARACTER_BYTES = 3;

/** An action that asks for nothing but to index or change a document, as most do; else undefined. */
function plainOp(
  action: BulkAction,
  pathIndex: string | undefined,
  pathType: string | undefined,
  pathShown: SourceSpec | undefined,
  { idBytes, nesting }: Limits,
): WriteOp | undefined {
  const { kind, conditions, pipeline, source, id, shown } = action;
  const index = action.index ?? pathIndex;
  if ((kind !== 'index' && kind !== 'update') || conditions !== NO_CONDITIONS || pipeline !== undefined)
    return undefined;
  if (index === undefined || index === '' || id === undefined || id === '') return undefined;
  if (id.length * CHARACTER_BYTES > idBytes) return undefined;
  if (action.type !== undefined || pathType !== undefined) return undefined;
  if (shown !== undefined || pathShown !== undefined) return undefined;
  if (kind === 'index') return { kind, index, id, source: source! };
  const update = action.retryOnConflict === undefined ? plainUpdate(source!, nesting, false) : undefined;
  return update?.doc === undefined ? undefined : { kind, index, id, update };
}

/** What there is to tell of a plain operation that failed. */
function itemOf(op: WriteOp): Item {
  const { kind, index, id } = op;
  return { action: kind, index, id, type: '_doc', shown: undefined, op, error: undefined };
}

function readItem(action: BulkAction, complaints: string[], limits: Limits): Item {
  const { kind, index, id, type = '_doc', source, conditions } = action;
  if (index === undefined || index === '') complaints.push('index is missing');
  if (id === undefined && (kind === 'update' || kind === 'delete')) complaints.push('id is missing');
  const item = { action: kind, index: index ?? '', id, type, shown: action.shown };
  const base: WriteOp = {
    kind,
    index: index ?? '',
    ...(id === undefined ? {} : { id }),
    ...(action.type === undefined ? {} : { type: action.type }),
    ...conditions,
  };
  const error = itemError(action);
  if (kind !== 'update') {
    for (const complaint of complaintsOf(base, limits)) complaints.push(complaint);
    const op = kind === 'delete' ? base : { ...base, source: source! };
    return { ...item, op: error === undefined ? op : undefined, error };
  }
  const body = readUpdate(source!, limits.nesting);
  const { retryOnConflict } = action;
  const update = { ...body.update, ...(retryOnConflict === undefined ? {} : { retryOnConflict }) };
  const op = { ...base, ...casOf(body), update };
  complaints.push(...updateComplaints(body, update, op, limits));
  if (body.hasScript && complaints.length === 0) refuseScript(body);
  return { ...item, shown: body.source ?? item.shown, op: error === undefined ? op : undefined, error };
}

/** What fails this item alone. */
function itemError(action: BulkAction): EngineError | undefined {
  if (action.id === '') return illegalArgument('if _id is specified it must not be empty');
  const { pipeline } = action;
  if (pipeline === undefined || pipeline === '' || pipeline === '_none' || action.kind === 'delete')
    return undefined;
  return illegalArgument(`pipeline with id [${pipeline}] does not exist`);
}
