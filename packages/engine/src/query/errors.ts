// Errors of queries in the peer's words: parsing errors name the query and the parameter, errors of an
// index's fields come as query_shard_exception.

import { EngineError } from '../errors.ts';

/** The index that an error names. */
interface NamedIndex {
  readonly name: string;
  readonly uuid: string;
}

/** A query that cannot be understood. */
export function parsingError(reason: string): EngineError {
  return new EngineError('parsing_exception', reason);
}

/** The peer's `x_content_parse_exception`. */
export function contentError(reason: string, causedBy?: EngineError): EngineError {
  return new EngineError('x_content_parse_exception', reason, causedBy === undefined ? {} : { causedBy });
}

/** A function that does not fit its field. The peer reports it from its shard, with a place of its own. */
export function misfitFunction(reason: string, col: number): EngineError {
  return new EngineError('parsing_exception', reason, { details: { line: 1, col } });
}

/** A parameter that a query does not have. */
export function unknownParameter(kind: string, parameter: string): EngineError {
  return parsingError(`[${kind}] query does not support [${parameter}]`);
}

/** A query that does not fit the index. */
export function misfit(index: NamedIndex, reason: string, causedBy?: EngineError): EngineError {
  const details = { index: index.name, index_uuid: index.uuid };
  return new EngineError(
    'query_shard_exception',
    reason,
    causedBy === undefined ? { details } : { details, causedBy },
  );
}

/** A request that grows beyond a limit. */
export function tooManyClauses(limit: number): EngineError {
  return new EngineError('too_many_clauses', `maxClauseCount is set to ${limit}`);
}

/** Terms that grow beyond the same limit, all levels together. */
export function tooManyLeaves(limit: number): EngineError {
  return new EngineError(
    'too_many_nested_clauses',
    `Query contains too many nested clauses; maxClauseCount is set to ${limit}`,
  );
}

/** Wraps an error of a value as the peer does, except for its own errors. */
export function wrapMisfit(index: NamedIndex, error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  switch (error.type) {
    case 'query_shard_exception':
    case 'parsing_exception':
    case 'parse_exception':
    case 'exception':
    case 'illegal_state_exception':
      return error;
    default:
      return misfit(index, `failed to create query: ${error.message}`, error);
  }
}
