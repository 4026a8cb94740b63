// Runs the script of a reindex on one document that was found: where it goes, and what it becomes.

import type { ScriptSpec } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import type { RunState } from '../../scripts/run-state.ts';
import { findScript, type ScriptContext } from '../../scripts/script.ts';
import { classCast } from '../../scripts/script-fault.ts';
import { jsonOfValue, sourceValue, valueOfJson } from '../../scripts/values/json-values.ts';
import { asNumber, javaEquals, type Key, textOf, type Value, ValueMap } from '../../scripts/values/value.ts';

const encoder = new TextEncoder();
const REINDEX: ScriptContext = { name: 'reindex', globals: ['ctx', 'params'] };
const MEMBERS = ['_index', '_id', '_version', '_routing'] as const;

/** A document as the script gets it. */
interface FoundForScript {
  readonly index: string;
  readonly id: string;
  readonly version: number;
  readonly routing: string | undefined;
  readonly source: Uint8Array;
}

/** What the script made of it. A member is present if the script changed it; null takes it away. */
interface ScriptedCopy {
  readonly op: 'index' | 'delete' | 'noop';
  readonly index?: string;
  readonly id?: string | null;
  readonly version?: number | null;
  readonly routing?: string | null;
  readonly source: Uint8Array;
}

/** Throws script_exception, and illegal_argument_exception for a change that cannot be made. */
export function runReindexScript(spec: ScriptSpec, document: FoundForScript, now: number): ScriptedCopy {
  const script = findScript(spec, REINDEX);
  const before: Readonly<Record<(typeof MEMBERS)[number], Value>> = {
    _index: document.index,
    _id: document.id,
    _version: BigInt(document.version),
    _routing: document.routing ?? null,
  };
  const entries = new Map<Key, Value>(Object.entries(before));
  entries.set('_source', sourceValue(document.source));
  entries.set('op', 'index');
  const ctx = new ValueMap(entries);
  return script.run([ctx, valueOfJson(spec.params ?? {})], now, (_, state) => copyOf(ctx, before, state));
}

function copyOf(
  { entries }: ValueMap,
  before: Readonly<Record<(typeof MEMBERS)[number], Value>>,
  state: RunState,
): ScriptedCopy {
  const op = entries.get('op') ?? null;
  if (op === null) throw illegalArgument('Script cleared operation type');
  if (typeof op !== 'string') throw classCast(`[op] must be a text, found [${textOf(op, state)}]`);
  const source = entries.get('_source') ?? null;
  if (!(source instanceof ValueMap)) throw classCast('[_source] must be a map');
  const changed = (name: (typeof MEMBERS)[number]): Value | undefined => {
    const value = entries.get(name) ?? null;
    return javaEquals(value, before[name], state) ? undefined : value;
  };
  const text = (value: Value | undefined): string | null | undefined =>
    value === undefined || value === null ? value : textOf(value, state);
  const index = text(changed('_index'));
  if (index === null) throw illegalArgument("Can't reindex without a destination index!");
  const id = text(changed('_id'));
  const version = versionOf(changed('_version'), state);
  const routing = text(changed('_routing'));
  if (op !== 'index' && op !== 'noop' && op !== 'none' && op !== 'delete')
    throw illegalArgument(`Operation type [${op}] not allowed, only [noop, index, delete] are allowed`);
  const known: ReadonlySet<Key> = new Set([...MEMBERS, '_source', 'op']);
  const added = [...entries.keys()].find((key) => !known.has(key));
  if (added !== undefined) throw illegalArgument(`Invalid fields added to context [${String(added)}]`);
  return {
    op: op === 'none' ? 'noop' : op,
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    ...(version === undefined ? {} : { version }),
    ...(routing === undefined ? {} : { routing }),
    source: encoder.encode(jsonOfValue(source, state)),
  };
}

function versionOf(value: Value | undefined, state: RunState): number | null | undefined {
  if (value === undefined || value === null) return value;
  const version = asNumber(value);
  if (version !== undefined && Number.isInteger(version)) return version;
  throw illegalArgument(`_version may only be set to an int or a long but was [${textOf(value, state)}]`);
}
