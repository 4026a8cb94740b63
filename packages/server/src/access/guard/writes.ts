// Which writes of a caller go through? Those to indices that it may touch; and under a document filter, those that do
// not meet a hidden document. What is checked is pinned: a document that changes meanwhile is a conflict, not a hole.

import { type Engine, EngineError, type WriteOp, type WriteResult } from '@octavo/engine';
import { dateMathName } from '../../wire/date-name.ts';
import type { VisibleDocuments } from './documents.ts';
import type { Rules } from './rules.ts';

/** Writes what is allowed; results are in the order of the ops. */
export async function guardedWrite(
  engine: Engine,
  rules: Rules,
  documents: VisibleDocuments | undefined,
  ops: readonly WriteOp[],
): Promise<WriteResult[]> {
  const results: (WriteResult | undefined)[] = new Array(ops.length);
  const passed: WriteOp[] = [];
  const places: number[] = [];
  for (const [i, op] of ops.entries()) {
    const index = concreteIndex(engine, op.index);
    const checked = rules.allowsIndex(index)
      ? await visibleOp(engine, rules, documents, op, index)
      : failed(op, rules.refusal('indices:data/write/bulk', op.index));
    if ('result' in checked) results[i] = checked;
    else {
      passed.push(checked);
      places.push(i);
    }
  }
  const written = passed.length === 0 ? [] : await engine.write(passed);
  for (const [i, result] of written.entries()) results[places[i]!] = result;
  return results as WriteResult[];
}

/** The index that a write to a name goes to; the name itself where it is none yet. */
function concreteIndex(engine: Engine, name: string): string {
  const resolved = dateMathName(name);
  if (engine.indices.info(resolved) !== undefined) return resolved;
  const holders = engine.indices.names().filter((each) => {
    const aliases = engine.indices.info(each)?.aliases ?? {};
    return Object.hasOwn(aliases, resolved);
  });
  const writer = holders.find((each) => engine.indices.info(each)?.aliases[resolved]?.isWriteIndex === true);
  return writer ?? (holders.length === 1 ? holders[0]! : resolved);
}

async function visibleOp(
  engine: Engine,
  rules: Rules,
  documents: VisibleDocuments | undefined,
  op: WriteOp,
  index: string,
): Promise<WriteOp | WriteResult> {
  const { id } = op;
  if (documents === undefined || id === undefined || engine.indices.info(index) === undefined) return op;
  const there = engine.get(index, id);
  // Where nothing is, nothing is hidden: a create pins that it stays so.
  if (there === undefined) return op.kind === 'index' && unpinned(op) ? { ...op, kind: 'create' } : op;
  const seen = await documents.get(index, id, true);
  if (seen?.seqNo === there.seqNo) {
    if (op.kind === 'create' || !unpinned(op)) return op;
    const { update } = op;
    const once = update === undefined ? {} : { update: withoutRetries(update) };
    return { ...op, ...once, ifSeqNo: there.seqNo, ifPrimaryTerm: 1 };
  }
  if (op.kind === 'delete') return { ...failed(op, undefined), result: 'not_found', index };
  if (op.kind === 'update' && op.update?.upsert === undefined && op.update?.docAsUpsert !== true) {
    return failed(op, new EngineError('document_missing_exception', `[${id}]: document missing`));
  }
  return failed(
    op,
    rules.refusal(
      'indices:data/write/bulk',
      index,
      `the id [${id}] is taken by a document that it does not see`,
    ),
  );
}

function unpinned({ ifSeqNo, version, versionType, update }: WriteOp): boolean {
  return (
    ifSeqNo === undefined &&
    version === undefined &&
    (versionType ?? 'internal') === 'internal' &&
    update?.upsert === undefined &&
    update?.docAsUpsert !== true
  );
}

function withoutRetries(update: NonNullable<WriteOp['update']>): NonNullable<WriteOp['update']> {
  const { retryOnConflict: _retries, ...rest } = update;
  return rest;
}

function failed(op: WriteOp, error: EngineError | undefined): WriteResult {
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
