// The body of an error on the search wire, as OpenSearch prints it:
// `{"error":{"root_cause":[…],"type","reason",…,"caused_by"},"status"}`. The root cause is the innermost of
// the peer's own exceptions; Java's appear as `caused_by`.

import { EngineError, type JsonValue, NeedsWriterThread } from '@octavo/engine';

/** An error as JSON, whole or as a part of a reply. */
type ErrorJson = Record<string, JsonValue>;

/** Errors of Java or Lucene: they are never the root cause of one of the peer's own. */
const FOREIGN_TYPES: ReadonlySet<string> = new Set([
  'illegal_argument_exception',
  'illegal_state_exception',
  'number_format_exception',
  'unsupported_operation_exception',
  'input_coercion_exception',
  'json_parse_exception',
  'json_e_o_f_exception',
  'x_content_parse_exception',
  'too_many_clauses',
  'too_many_nested_clauses',
  'date_time_parse_exception',
  'arithmetic_exception',
  'null_pointer_exception',
  'not_x_content_exception',
  'class_cast_exception',
  'index_out_of_bounds_exception',
  'painless_error',
  'named_object_not_found_exception',
]);

const PARSER = 'x_content_parse_exception';

/** True for errors that the peer wraps as foreign causes. */
function isForeignError(error: EngineError): boolean {
  return FOREIGN_TYPES.has(error.type);
}

/** The whole body. */
export function errorBody(error: EngineError, trace = false): ErrorJson {
  const roots = rootCauses(error);
  return {
    error: { root_cause: roots.map((root) => describe(root, trace, false)), ...describe(error, trace, true) },
    status: error.status,
  };
}

/** The error object of bulk items and failed shards, without root causes. */
export function errorObject(error: EngineError): ErrorJson {
  return describe(error, false, true);
}

/**
 * Converts anything thrown to an EngineError; anything else is a defect and becomes a 500. A request for
 * another thread is no error and is rethrown, for one item as for a whole request.
 */
export function asEngineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown;
  if (thrown instanceof NeedsWriterThread) throw thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new EngineError('exception', message);
}

function describe(error: EngineError, trace: boolean, withCause: boolean): ErrorJson {
  const { failed_shards, ...details } = error.details;
  const out: ErrorJson = { type: error.type, reason: error.message, ...details };
  if (withCause) {
    if (failed_shards !== undefined) out['failed_shards'] = failed_shards;
    if (error.causedBy !== undefined) out['caused_by'] = describe(error.causedBy, trace, true);
  }
  if (trace) out['stack_trace'] = `${error.type}: ${error.message}\n${frames(error)}`;
  return out;
}

/** Function and file names only, no paths of the machine. */
function frames(error: Error): string {
  const lines = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return lines
    .map((line) => `\t${line.trim().replace(/\(?(?:file:\/\/)?\/[^)]*\/([^/)]+)\)?$/, '($1)')}`)
    .join('\n');
}

function rootCauses(error: EngineError): EngineError[] {
  if (error instanceof SearchPhaseError) return error.causes.flatMap(rootCauses);
  const cause = error.causedBy;
  // The inner error is foreign (Lucene's parser, Java's numbers), whatever its type; that of a script is not.
  if (error.type === 'query_shard_exception') return cause?.type === 'script_exception' ? [cause] : [error];
  // So is the outer one, where the peer wraps the mistake of a script.
  if (error.type === 'illegal_argument_exception' && cause !== undefined) return [error];
  // Of nested parsers the innermost is the most precise.
  const isNested = error.type === PARSER && cause?.type === PARSER;
  if (cause !== undefined && (isNested || !isForeignError(cause))) return rootCauses(cause);
  return [error];
}

/** The failure of one shard. */
export interface ShardFailure {
  readonly index: string | undefined;
  readonly error: EngineError;
}

/** A failure as the peer prints it in `failed_shards` and in `_shards.failures`. */
export function shardFailure({ index, error }: ShardFailure, node: string): ErrorJson {
  const shard = index === undefined ? { shard: -1, index: null } : { shard: 0, index, node };
  return { ...shard, reason: errorObject(error) };
}

/** A search that failed on all of its shards, or on some. For some, the peer gives no cause. Equal failures are grouped. */
export class SearchPhaseError extends EngineError {
  readonly causes: readonly EngineError[];

  constructor(failures: readonly ShardFailure[], node: string, isPartial = false) {
    const { index, error: first } = failures[0]!;
    super('search_phase_execution_exception', isPartial ? 'Partial shards failure' : 'all shards failed', {
      status: Math.max(...failures.map((failure) => failure.error.status)),
      details: {
        phase: 'query',
        grouped: true,
        failed_shards: failures.map((failure) => shardFailure(failure, node)),
      },
      ...(!isPartial && causeOf(first, index)),
    });
    this.causes = failures.map((failure) => failure.error);
  }
}

/** What the peer gives as the cause of a failed search: the root cause, if it is not the failure itself. */
function causeOf(failure: EngineError, index: string | undefined): { causedBy?: EngineError } {
  if (isForeignError(failure)) return { causedBy: asOwnCause(failure) };
  if (index === undefined) return { causedBy: failure };
  const root = rootCauses(failure)[0]!;
  return root === failure ? {} : { causedBy: root };
}

/** The peer repeats a foreign cause inside itself. */
function asOwnCause(error: EngineError): EngineError {
  return new EngineError(error.type, error.message, { details: error.details, causedBy: error });
}
