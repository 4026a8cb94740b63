// The conditions of a write beside its document: versions, sequence numbers, routing, refresh. Reads them
// from the parameters of single writes, and checks them as the peer does.

import { type Engine, EngineError, illegalArgument, type WriteOp } from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import type { Params } from '../router/route.ts';

/** Parameters of all single writes. */
export const WRITE_PARAMS: readonly string[] = [
  'if_primary_term',
  'if_seq_no',
  'refresh',
  'require_alias',
  'routing',
  'timeout',
  'version',
  'version_type',
  'wait_for_active_shards',
  'pipeline',
];

/** The conditions of a write, as WriteOp names them. */
export interface WriteConditions {
  readonly routing?: string;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  readonly version?: number;
  readonly versionType?: 'internal' | 'external' | 'external_gte';
  readonly requireAlias?: boolean;
}

/** Reads the conditions; throws the peer's errors. */
export function writeConditions(params: Params): WriteConditions {
  refusePipeline(params.string('pipeline'));
  refuseAbsentCopies(params.string('wait_for_active_shards'));
  params.millis('timeout');
  const routing = params.string('routing');
  const ifSeqNo = params.integer('if_seq_no');
  const ifPrimaryTerm = params.integer('if_primary_term');
  if (ifSeqNo !== undefined && ifSeqNo < 0) {
    throw illegalArgument(`sequence numbers must be non negative. got [${ifSeqNo}].`);
  }
  if (ifPrimaryTerm !== undefined && ifPrimaryTerm < 0) {
    throw illegalArgument(`primary term must be non negative. got [${ifPrimaryTerm}]`);
  }
  const version = params.integer('version');
  const versionType = parseVersionType(params.string('version_type'));
  const requireAlias = params.boolean('require_alias');
  return {
    ...(routing === undefined ? {} : { routing }),
    ...(ifSeqNo === undefined ? {} : { ifSeqNo }),
    ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }),
    ...(version === undefined ? {} : { version }),
    ...(versionType === undefined ? {} : { versionType }),
    ...(requireAlias === undefined ? {} : { requireAlias }),
  };
}

/**
 * Adds the contradictions that the peer refuses before it looks at the index, and an id that is too long for
 * a new document.
 */
export function addComplaints(
  op: WriteConditions & Pick<WriteOp, 'kind' | 'id'>,
  { idBytes }: Pick<Limits, 'idBytes'>,
  out: string[],
): void {
  const external = op.versionType === 'external' || op.versionType === 'external_gte';
  if (op.kind === 'create') {
    if (external) out.push('create operations only support internal versioning. use index instead');
    if (op.version !== undefined && !external) {
      out.push('create operations do not support explicit versions. use index instead');
    }
    if (op.ifSeqNo !== undefined || op.ifPrimaryTerm !== undefined) {
      out.push('create operations do not support compare and set. use index instead');
    }
  }
  if (op.id === undefined && op.version !== undefined && external) {
    out.push('an id must be provided if version type or value are set');
  }
  if (external && op.version === undefined) {
    out.push(`illegal version value [-3] for version type [${op.versionType!.toUpperCase()}]`);
  }
  if (op.version !== undefined && !external && op.kind !== 'create') {
    out.push(
      'internal versioning can not be used for optimistic concurrency control. ' +
        'Please use `if_seq_no` and `if_primary_term` instead',
    );
  }
  if (op.ifSeqNo !== undefined && op.ifPrimaryTerm === undefined) {
    out.push('ifSeqNo is set, but primary term is [0]');
  }
  if (op.ifSeqNo === undefined && op.ifPrimaryTerm !== undefined) {
    out.push(`ifSeqNo is unassigned, but primary term is [${op.ifPrimaryTerm}]`);
  }
  // Documents that were written under a higher limit can be deleted.
  const most = op.kind === 'delete' ? LIMITS.idBytes.value : idBytes;
  if (op.id === undefined || op.id.length * CHARACTER_BYTES <= most) return;
  const length = Buffer.byteLength(op.id);
  if (length > most)
    out.push(`id [${op.id}] is too long, must be no longer than ${most} bytes but was: ${length}`);
}

/** Bytes that a UTF-16 unit may have in UTF-8. */
const CHARACTER_BYTES = 3;

/** Throws if there are complaints about a write. */
export function refuseContradictions(
  op: WriteConditions & Pick<WriteOp, 'kind' | 'id'>,
  limits: Pick<Limits, 'idBytes'>,
): void {
  const complaints: string[] = [];
  addComplaints(op, limits, complaints);
  throwIfInvalid(complaints);
}

/** `internal`, `external` (also as `external_gt`), `external_gte`. */
export function parseVersionType(text: string | undefined): WriteConditions['versionType'] {
  if (text === undefined) return undefined;
  if (text === 'external_gt') return 'external';
  if (text === 'internal' || text === 'external' || text === 'external_gte') return text;
  throw illegalArgument(`No version type match [${text}]`);
}

/** Throws for a pipeline, as there are none; `_none` stands for no pipeline. */
export function refusePipeline(pipeline: string | undefined): void {
  if (pipeline === undefined || pipeline === '' || pipeline === '_none') return;
  throw illegalArgument(`pipeline with id [${pipeline}] does not exist`);
}

/** Throws for a write that waits for more than one active copy: one node holds one copy, so it would wait forever. */
export function refuseAbsentCopies(text: string | undefined): void {
  if (text === undefined || text === 'all' || text === '' || text === '0' || text === '1') return;
  if (!/^\d+$/.test(text) || Number(text) > 2147483647) {
    throw new EngineError('illegal_argument_exception', `cannot parse ActiveShardCount[${text}]`, {
      causedBy: new EngineError('number_format_exception', `For input string: "${text}"`),
    });
  }
  throw new EngineError(
    'unavailable_shards_exception',
    `Not enough active copies to meet shard count of [${text}] (have 1, needed ${text})`,
  );
}

/** How writes become visible. */
export type Refresh = 'none' | 'forced' | 'wait';

/** `refresh=true|false|wait_for`. */
export function parseRefresh(params: Params): Refresh {
  const text = params.string('refresh');
  if (text === undefined || text === 'false') return 'none';
  if (text === '' || text === 'true') return 'forced';
  if (text === 'wait_for') return 'wait';
  throw illegalArgument(`Unknown value for refresh: [${text}].`);
}

/** Makes writes visible to searches. It has an effect only where `refresh_interval` is -1. */
export async function applyRefresh(
  engine: Engine,
  refresh: Refresh,
  indices: readonly string[],
): Promise<void> {
  if (refresh !== 'none' && indices.length > 0) await engine.indices.refresh(indices);
}
