// The versioning policy: decides from the conditions of a write and the current version of its document
// whether the write may happen and which version it makes. Pure; errors use the words of the peer.

import type { WriteOp } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { CurrentVersion } from '../index-state/tombstones.ts';

/**
 * The version that the write makes. Throws `version_conflict_engine_exception` (409) when the operation's
 * conditions do not hold, `illegal_argument_exception` when they contradict each other.
 */
export function nextVersion(
  op: WriteOp,
  id: string,
  current: CurrentVersion | undefined,
  primaryTerm: number,
): number {
  if (op.ifSeqNo !== undefined || op.ifPrimaryTerm !== undefined)
    return checkSeqNo(op, id, current, primaryTerm);
  if (op.kind === 'create' && current?.alive) throw alreadyExists(id, current.version);
  if (op.versionType === 'external' || op.versionType === 'external_gte') return external(op, id, current);
  if (op.version !== undefined) {
    throw illegalArgument(
      'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead',
    );
  }
  return current === undefined ? 1 : current.version + 1;
}

function alreadyExists(id: string, version: number): EngineError {
  return conflict(`[${id}]: version conflict, document already exists (current version [${version}])`);
}

function conflict(reason: string): EngineError {
  return new EngineError('version_conflict_engine_exception', reason);
}

function checkSeqNo(
  op: WriteOp,
  id: string,
  current: CurrentVersion | undefined,
  primaryTerm: number,
): number {
  const seqNo = op.ifSeqNo ?? -2;
  const term = op.ifPrimaryTerm ?? 0;
  const wanted = `required seqNo [${seqNo}], primary term [${term}]`;
  if (current === undefined || !current.alive) {
    throw conflict(`[${id}]: version conflict, ${wanted}. but no document was found`);
  }
  if (current.seqNo !== seqNo || primaryTerm !== term) {
    throw conflict(
      `[${id}]: version conflict, ${wanted}. current document has seqNo [${current.seqNo}] and primary term [${primaryTerm}]`,
    );
  }
  return current.version + 1;
}

function external(op: WriteOp, id: string, current: CurrentVersion | undefined): number {
  const version = op.version;
  if (version === undefined || version < 0 || !Number.isSafeInteger(version)) {
    throw illegalArgument(
      `illegal version value [${version ?? -3}] for version type [${op.versionType === 'external' ? 'EXTERNAL' : 'EXTERNAL_GTE'}]`,
    );
  }
  if (current !== undefined) {
    const fits = op.versionType === 'external' ? version > current.version : version >= current.version;
    if (!fits) {
      const rule = op.versionType === 'external' ? 'higher or equal to' : 'higher than';
      throw conflict(
        `[${id}]: version conflict, current version [${current.version}] is ${rule} the one provided [${version}]`,
      );
    }
  }
  return version;
}
