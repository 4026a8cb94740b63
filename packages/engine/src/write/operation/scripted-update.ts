// Runs the script of an update on one document: what becomes of the document.

import type { ScriptSpec } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { RunState } from '../../scripts/run-state.ts';
import { findScript, type ScriptContext, type StepMeter } from '../../scripts/script.ts';
import { classCast } from '../../scripts/script-fault.ts';
import { jsonOfValue, sourceValue, valueOfJson } from '../../scripts/values/json-values.ts';
import { javaEquals, type Key, textOf, type Value, ValueMap } from '../../scripts/values/value.ts';

const encoder = new TextEncoder();
const UPDATE: ScriptContext = { name: 'update', globals: ['ctx', 'params'] };

/** The document that a script changes. */
export interface ScriptedDocument {
  readonly index: string;
  readonly id: string;
  readonly version: number;
  readonly routing: string | undefined;
  readonly source: Uint8Array;
  /** What happens if the script does not decide otherwise. */
  readonly op: 'index' | 'create';
  readonly now: number;
}

/** What a script wants: the source to write, or one of two words. */
type ScriptedChange = Uint8Array | 'delete' | 'none';

/**
 * Runs a script. `ctx` has `_source` and `op`, and of a document that exists also its metadata. Throws
 * illegal_argument_exception, caused by the mistake.
 */
export function runUpdateScript(
  spec: ScriptSpec,
  document: ScriptedDocument,
  meter: StepMeter,
): ScriptedChange {
  try {
    const script = findScript(spec, UPDATE);
    const ctx = contextOf(document, spec.isByQuery === true);
    const before = new Map(ctx.entries);
    const params = valueOfJson(spec.params ?? {});
    return script.run([ctx, params], document.now, (_, state) => changeOf(ctx, before, spec, state), meter);
  } catch (error) {
    throw new FailedScriptError(error instanceof EngineError ? error : defect(error));
  }
}

/** A write that failed because of its script, which is the cause. */
export class FailedScriptError extends EngineError {
  constructor(causedBy: EngineError) {
    super('illegal_argument_exception', 'failed to execute script', { causedBy });
  }
}

/** A mistake of the evaluator costs the write, not the writer: a script has changed nothing before it returns. */
function defect(thrown: unknown): EngineError {
  return new EngineError('exception', `the script met a defect of the server: ${String(thrown)}`);
}

/** The error of a write whose request has no steps left for its script. */
export function tooManySteps(): EngineError {
  const reason = 'the scripts of the request take too many steps; send fewer of them at once';
  return new EngineError('rejected_execution_exception', reason);
}

function contextOf(
  { index, id, version, routing, source, op, now }: ScriptedDocument,
  isByQuery: boolean,
): ValueMap {
  const entries = new Map<Key, Value>();
  if (op === 'index') {
    entries.set('_index', index);
    entries.set('_id', id);
    entries.set('_version', BigInt(version));
    entries.set('_routing', routing ?? null);
  }
  if (!isByQuery) entries.set('_now', BigInt(now));
  entries.set('op', op);
  entries.set('_source', sourceValue(source));
  return new ValueMap(entries);
}

function changeOf(
  { entries }: ValueMap,
  before: ReadonlyMap<Key, Value>,
  { isByQuery = false }: ScriptSpec,
  state: RunState,
): ScriptedChange {
  const op = entries.get('op') ?? null;
  if (typeof op !== 'string' && (op !== null || isByQuery))
    throw classCast(`[op] must be a text, found [${textOf(op, state)}]`);
  if (isByQuery) checkByQuery(entries, before, op as string, state);
  if (op === 'delete') return 'delete';
  // Any other word means that nothing is done, as with the peer.
  if (op !== 'index' && op !== 'create') return 'none';
  const source = entries.get('_source') ?? null;
  if (!(source instanceof ValueMap)) throw classCast('[_source] must be a map');
  return encoder.encode(jsonOfValue(source, state));
}

/** Changes by query refuse what they would ignore. */
function checkByQuery(
  entries: ReadonlyMap<Key, Value>,
  before: ReadonlyMap<Key, Value>,
  op: string,
  state: RunState,
): void {
  if (op !== 'index' && op !== 'noop' && op !== 'none' && op !== 'delete')
    throw illegalArgument(`Operation type [${op}] not allowed, only [noop, index, delete] are allowed`);
  for (const [key, value] of before) {
    if (key === 'op' || key === '_source') continue;
    if (!javaEquals(entries.get(key) ?? null, value, state))
      throw illegalArgument(`Modifying [${String(key)}] not allowed`);
  }
  for (const key of entries.keys())
    if (!before.has(key)) throw illegalArgument(`Invalid fields added to context [${String(key)}]`);
}
