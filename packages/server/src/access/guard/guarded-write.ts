// Filters the writes of a caller to indices it may use. With a document filter, a write must neither touch a
// hidden document nor leave one behind; it is pinned to the version that was checked, so a concurrent change
// causes a version conflict instead of bypassing the filter.

import { type Engine, EngineError, type StoredDoc, type WriteOp, type WriteResult } from '@octavo/engine';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import type { CallerRules } from './caller-rules.ts';
import { filterViolation } from './filter-violation.ts';
import type { VisibleDocuments } from './visible-documents.ts';

/**
 * Writes what is allowed; results are in the order of the operations. With a document filter, a second
 * operation on an id is checked after the first was written: one round per repetition of an id.
 */
export async function guardedWrite(
  engine: Engine,
  rules: CallerRules,
  documents: VisibleDocuments | undefined,
  ops: readonly WriteOp[],
): Promise<WriteResult[]> {
  const results: WriteResult[] = new Array(ops.length);
  const positioned = ops.map((op, position) => ({ op, position, index: concreteIndex(engine, op.index) }));
  for (const round of documents === undefined ? [positioned] : groupIntoRounds(positioned)) {
    const passed: WriteOp[] = [];
    const positions: number[] = [];
    for (const { op, position, index } of round) {
      const checked = rules.allowsIndex(index)
        ? await checkOp(engine, rules, documents, op, index)
        : failedResult(op, rules.refusal('indices:data/write/bulk', op.index));
      if ('result' in checked) results[position] = checked;
      else {
        passed.push(checked);
        positions.push(position);
      }
    }
    const written = passed.length === 0 ? [] : await engine.write(passed);
    for (const [i, result] of written.entries()) results[positions[i]!] = result;
  }
  return results;
}

interface PositionedOp {
  readonly op: WriteOp;
  readonly position: number;
  /** The concrete index. */
  readonly index: string;
}

/** Round n contains the n-th operation on each id. */
function groupIntoRounds(ops: readonly PositionedOp[]): PositionedOp[][] {
  const rounds: PositionedOp[][] = [];
  const before = new Map<string, number>();
  for (const placed of ops) {
    const { op, index } = placed;
    const key = JSON.stringify([index, op.id]);
    const round = op.id === undefined ? 0 : (before.get(key) ?? 0);
    before.set(key, round + 1);
    const of = (rounds[round] ??= []);
    of.push(placed);
  }
  return rounds;
}

/** The index a write to a name goes to; the name itself if there is none yet. */
function concreteIndex(engine: Engine, name: string): string {
  const resolved = resolveDateMathName(name);
  if (engine.indices.info(resolved) !== undefined) return resolved;
  const holders = engine.indices.names().filter((each) => {
    const aliases = engine.indices.info(each)?.aliases ?? {};
    return Object.hasOwn(aliases, resolved);
  });
  const writer = holders.find((each) => engine.indices.info(each)?.aliases[resolved]?.isWriteIndex === true);
  return writer ?? (holders.length === 1 ? holders[0]! : resolved);
}

async function checkOp(
  engine: Engine,
  rules: CallerRules,
  documents: VisibleDocuments | undefined,
  op: WriteOp,
  index: string,
): Promise<WriteOp | WriteResult> {
  const { id } = op;
  if (documents === undefined) return op;
  if (op.update?.script !== undefined) {
    const why = 'what a script makes of a document is unknown before the write; send the change as [doc]';
    return failedResult(op, rules.refusal('indices:data/write/bulk', index, why));
  }
  const within = (checked: WriteOp, current?: StoredDoc): WriteOp | WriteResult => {
    if (checked.kind === 'delete') return checked;
    const why = filterViolation(engine, documents.filter, checked, index, current);
    if (why === undefined) return checked;
    return failedResult(
      op,
      why instanceof EngineError ? why : rules.refusal('indices:data/write/bulk', index, why),
    );
  };
  if (id === undefined || engine.indices.info(index) === undefined) return within(op);
  const there = engine.get(index, id);
  if (there === undefined) {
    const first = asCreate(op);
    // Refused here: a document created meanwhile was not checked against this change.
    return first.kind === 'update' ? failedResult(op, documentMissing(id)) : within(first);
  }
  const seen = await documents.get(index, id, true);
  if (seen?.seqNo === there.seqNo) {
    const pinned = pinTo(op, there);
    // The check was made for an update of this version only.
    const isOther = op.kind === 'update' && pinned.ifSeqNo !== there.seqNo;
    return isOther ? failedResult(op, versionConflict(id, pinned.ifSeqNo, there)) : within(pinned, there);
  }
  if (op.kind === 'delete') return { ...failedResult(op, undefined), result: 'not_found', index };
  if (op.kind === 'update' && op.update?.upsert === undefined && op.update?.docAsUpsert !== true) {
    return failedResult(op, documentMissing(id));
  }
  return failedResult(
    op,
    rules.refusal(
      'indices:data/write/bulk',
      index,
      `the id [${id}] belongs to a document that it does not see`,
    ),
  );
}

/** Nothing is hidden if nothing is there; a create pins that. */
function asCreate(op: WriteOp): WriteOp {
  const { update, ...rest } = op;
  if (op.kind === 'index' && isUnpinned(op)) return { ...op, kind: 'create' };
  const first = update?.docAsUpsert === true ? update.doc : update?.upsert;
  return op.kind === 'update' && first !== undefined ? { ...rest, kind: 'create', source: first } : op;
}

/** Pins the write to the version that was checked. */
function pinTo(op: WriteOp, { seqNo }: StoredDoc): WriteOp {
  const pin = { ifSeqNo: op.ifSeqNo ?? seqNo, ifPrimaryTerm: op.ifPrimaryTerm ?? 1 };
  const { doc, detectNoop } = op.update ?? {};
  if (op.kind === 'update') {
    // The document exists. An upsert would apply only if it were deleted, and then to another document.
    const update = {
      ...(doc === undefined ? {} : { doc }),
      ...(detectNoop === undefined ? {} : { detectNoop }),
    };
    return { ...op, ...pin, update };
  }
  return op.kind === 'create' || !isUnpinned(op) ? op : { ...op, ...pin };
}

function documentMissing(id: string): EngineError {
  return new EngineError('document_missing_exception', `[${id}]: document missing`);
}

function versionConflict(id: string, wanted: number | undefined, { seqNo }: StoredDoc): EngineError {
  return new EngineError(
    'version_conflict_engine_exception',
    `[${id}]: version conflict, required seqNo [${wanted}], but the current document has seqNo [${seqNo}]`,
  );
}

function isUnpinned({ ifSeqNo, version, versionType }: WriteOp): boolean {
  return ifSeqNo === undefined && version === undefined && (versionType ?? 'internal') === 'internal';
}

function failedResult(op: WriteOp, error: EngineError | undefined): WriteResult {
  return {
    index: op.index,
    id: op.id ?? '',
    type: op.type ?? '_doc',
    result: error === undefined ? 'not_found' : 'error',
    version: 1,
    seqNo: 0,
    error,
    source: undefined,
  };
}
