// The `_bulk` endpoints: many writes in one request. NDJSON of actions in, one item for each action out.
// Every action succeeds or fails by itself, but a malformed line refuses the whole request before anything is
// written.

import {
  type Engine,
  type EngineError,
  illegalArgument,
  Turn,
  type UpdateSpec,
  type WriteOp,
  type WriteResult,
} from '@octavo/engine';
import { errorObject } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Limits } from '../../limits.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { withStoredSources } from '../scripts/stored-scripts.ts';
import { readSourceParams, SOURCE_PARAMS, type SourceFilter, typeMember } from '../source/source-filter.ts';
import { type BulkAction, BulkActions, NO_CONDITIONS } from './bulk-actions.ts';
import { BulkItems } from './bulk-reply.ts';
import { addUpdateComplaints, readUpdate } from './update.ts';
import {
  addComplaints,
  applyRefresh,
  parseRefresh,
  type Refresh,
  refuseAbsentCopies,
  type WriteConditions,
} from './write-params.ts';
import { updatedSource, withIndex } from './write-reply.ts';

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
  { methods: ['POST', 'PUT'], path: '/_bulk', params: BULK_PARAMS, handle: bulk },
  { methods: ['POST', 'PUT'], path: '/{index}/_bulk', params: BULK_PARAMS, handle: bulk },
  { methods: ['POST', 'PUT'], path: '/{index}/{type}/_bulk', params: BULK_PARAMS, handle: bulk },
  { methods: ['POST', 'PUT'], path: '/{index}/_doc/_bulk', params: BULK_PARAMS, handle: bulk },
];

/** An action that is refused alone, or whose item of the reply shows a document. */
interface Item {
  readonly op: WriteOp;
  /** Why it is refused; then its operation is not written. */
  readonly error: EngineError | undefined;
  readonly sourceSpec: SourceFilter | undefined;
}

/** The actions of a body. */
interface Items {
  /** One for each action, in order; undefined for most: `ops` has all that is needed of them. */
  readonly items: readonly (Item | undefined)[];
  /** The operations of all actions that are not refused. */
  readonly ops: readonly WriteOp[];
}

/** Values from the path and the parameters, for actions without their own. */
interface Defaults {
  readonly index: string | undefined;
  readonly type: string | undefined;
  readonly conditions: WriteConditions;
  readonly pipeline: string | undefined;
  readonly sourceSpec: SourceFilter | undefined;
}

/** A bit mask: the clock is read at each 16th item. */
const CLOCK_MASK = 15;
/** Items in one part of the reply. Printing them takes 0.1 ms. */
const PART_ITEMS = 256;

async function bulk(call: Call, services: Services): Promise<Reply> {
  const started = performance.now();
  requireBody(call);
  refuseAbsentCopies(call.params.string('wait_for_active_shards'));
  const refresh = parseRefresh(call.params);
  return await write(services.engine, await readItems(call, services.limits), refresh, started);
}

async function write(
  engine: Engine,
  { items, ops }: Items,
  refresh: Refresh,
  started: number,
): Promise<Reply> {
  const results = ops.length === 0 ? [] : await engine.write(withStoredSources(engine, ops));
  const touched = new Set<string>();
  for (const result of results) if (result.error === undefined) touched.add(result.index);
  await applyRefresh(engine, refresh, [...touched]);
  const printed = new BulkItems(engine, refresh === 'forced');
  let next = 0;
  const part = (from: number): Buffer => {
    const end = Math.min(items.length, from + PART_ITEMS);
    for (let i = from; i < end; i++) {
      const item = items[i];
      const op = item?.op ?? ops[next]!;
      const result = item?.error === undefined ? results[next++]! : undefined;
      const error = item?.error ?? result?.error;
      if (error === undefined) {
        printed.written(op.kind, result!, updatedSource(result!, item?.sourceSpec));
      } else {
        const described = withIndex(error, engine, result?.index || op.index);
        printed.failed(op.kind, errorItem(op, described, result));
      }
    }
    return printed.take();
  };
  const took = Math.round(performance.now() - started);
  const errors = ops.length < items.length || results.some(({ error }) => error !== undefined);
  // This turn has published the commit: let searches run first.
  await new Turn().nextIfSearching();
  return {
    list: {
      first: { took, errors },
      name: 'items',
      count: Math.ceil(items.length / PART_ITEMS),
      part: (i) => part(i * PART_ITEMS),
    },
  };
}

function errorItem(op: WriteOp, error: EngineError, result: WriteResult | undefined): ReplyObject {
  return {
    _index: result?.index || op.index,
    ...typeMember(op.type ?? '_doc'),
    _id: op.id ?? (result?.id || null),
    status: error.status,
    error: errorObject(error),
  };
}

/** Reads all actions of the body. */
async function readItems(call: Call, limits: Limits): Promise<Items> {
  const limit = limits.bulkItems;
  const defaults = readDefaults(call);
  const items: (Item | undefined)[] = [];
  const ops: WriteOp[] = [];
  const complaints: string[] = [];
  const turn = new Turn();
  // This turn has read the last bytes of the body: let searches run first.
  await turn.nextIfSearching();
  const actions = new BulkActions(call.body);
  for (let action = actions.next(); action !== undefined; action = actions.next()) {
    if ((items.length & CLOCK_MASK) === CLOCK_MASK && turn.isOver()) await turn.next();
    if (items.length >= limit) throw illegalArgument(`more than [${limit}] actions in one bulk request`);
    readAction(action, defaults, limits, complaints, items, ops);
  }
  if (items.length === 0) throwIfInvalid(['no requests added']);
  throwIfInvalid(complaints);
  return { items, ops };
}

function readDefaults({ path, params }: Call): Defaults {
  const routing = params.string('routing');
  const requireAlias = params.boolean('require_alias');
  const hasNone = routing === undefined && requireAlias === undefined;
  return {
    index: path['index'],
    type: path['type'],
    conditions: hasNone
      ? NO_CONDITIONS
      : {
          ...(routing === undefined ? {} : { routing }),
          ...(requireAlias === undefined ? {} : { requireAlias }),
        },
    pipeline: params.string('pipeline'),
    sourceSpec: readSourceParams(params),
  };
}

/** Reads one action into `items` and `ops`. Complaints refuse the whole request. */
function readAction(
  action: BulkAction,
  defaults: Defaults,
  limits: Limits,
  complaints: string[],
  items: (Item | undefined)[],
  ops: WriteOp[],
): void {
  const { kind, id } = action;
  const index = action.index ?? defaults.index ?? '';
  const type = action.type ?? defaults.type;
  if (index === '') complaints.push('index is missing');
  if (id === undefined && (kind === 'update' || kind === 'delete')) complaints.push('id is missing');
  const plain: WriteOp = id === undefined ? { kind, index } : { kind, index, id };
  const hasConditions = defaults.conditions !== NO_CONDITIONS || action.conditions !== NO_CONDITIONS;
  const op: Mutable<WriteOp> = hasConditions
    ? { ...plain, ...defaults.conditions, ...action.conditions }
    : plain;
  if (type !== undefined) op.type = type;
  let sourceSpec: SourceFilter | undefined;
  if (kind === 'update')
    sourceSpec = readUpdateInto(op, action, action.sourceSpec ?? defaults.sourceSpec, limits, complaints);
  else {
    addComplaints(op, limits, complaints);
    if (kind !== 'delete') op.source = action.source!;
  }
  const error = itemError(kind, id, action.pipeline ?? defaults.pipeline);
  items.push(error === undefined && sourceSpec === undefined ? undefined : { op, error, sourceSpec });
  if (error === undefined) ops.push(op);
}

/** Reads the body of an update into its operation; returns what the item shows of the document, if anything. */
function readUpdateInto(
  op: Mutable<WriteOp>,
  { source, retryOnConflict }: BulkAction,
  requested: SourceFilter | undefined,
  limits: Limits,
  complaints: string[],
): SourceFilter | undefined {
  const body = readUpdate(source!, limits);
  // As with the peer, the action line wins over the parameters, and both over the update.
  const sourceSpec = requested ?? body.source;
  const update: Mutable<UpdateSpec> = body.update;
  if (retryOnConflict !== undefined) update.retryOnConflict = retryOnConflict;
  if (sourceSpec === undefined) update.wantsSource = false;
  if (body.ifSeqNo !== undefined) op.ifSeqNo = body.ifSeqNo;
  if (body.ifPrimaryTerm !== undefined) op.ifPrimaryTerm = body.ifPrimaryTerm;
  op.update = update;
  addUpdateComplaints(update, op, limits, complaints);
  return sourceSpec;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Why an action is refused alone; undefined if it is not. */
function itemError(
  kind: BulkAction['kind'],
  id: string | undefined,
  pipeline: string | undefined,
): EngineError | undefined {
  if (id === '') return illegalArgument('if _id is specified it must not be empty');
  if (pipeline === undefined || pipeline === '' || pipeline === '_none' || kind === 'delete')
    return undefined;
  return illegalArgument(`pipeline with id [${pipeline}] does not exist`);
}
