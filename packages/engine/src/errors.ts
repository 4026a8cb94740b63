// Every error that a caller can meet: its name on the wire, its usual HTTP status and its meaning in one
// table, and the class that carries it. A test holds the reference documentation against the table.

/**
 * Every error type of the engine, by the name that OpenSearch gives it on the wire. The status is the usual one;
 * an error may carry another where the peer does.
 */
export const ERROR_TYPES = {
  action_request_validation_exception: {
    status: 400,
    meaning: 'A required part of the request is missing or two parts exclude each other.',
  },
  aggregation_execution_exception: {
    status: 500,
    meaning: 'An aggregation cannot be computed where the request puts it, or over these values.',
  },
  aggregation_initialization_exception: {
    status: 500,
    meaning: 'An aggregation has sub-aggregations, which its kind cannot have.',
  },
  aliases_not_found_exception: { status: 404, meaning: 'None of the named aliases exist.' },
  arithmetic_exception: { status: 400, meaning: 'A script divided an integer by zero.' },
  bad_parameter_exception: {
    status: 400,
    meaning: 'A parameter or a path is not valid percent-encoded UTF-8.',
  },
  circuit_breaking_exception: {
    status: 429,
    meaning: 'The request would take more memory than the budget allows.',
  },
  class_cast_exception: { status: 400, meaning: 'A value of a script has the wrong type.' },
  cluster_block_exception: {
    status: 507,
    meaning:
      'The disk is full, or no file descriptor is left: the write was refused, reads and deletes still work. With 403: a setting of the index forbids the operation (`index.blocks`). With 503: the server is starting.',
  },
  content_too_long_exception: { status: 413, meaning: 'The body is longer than the limit allows.' },
  corrupt_index_exception: {
    status: 500,
    meaning: 'A stored document cannot be returned: its bytes on the disk are damaged.',
  },
  cursor_expired: {
    status: 410,
    meaning: 'The token or its snapshot has expired. Start again from the first page.',
  },
  cursor_forbidden: { status: 403, meaning: 'The token belongs to another principal.' },
  cursor_invalid: {
    status: 400,
    meaning: 'The token cannot be read. Send it exactly as a reply returned it.',
  },
  cursor_mismatch: { status: 400, meaning: 'The token was made for another index, query or sort.' },
  date_time_parse_exception: { status: 400, meaning: 'A date matches none of the formats.' },
  document_missing_exception: { status: 404, meaning: 'There is no document with this id to update.' },
  document_source_missing_exception: { status: 400, meaning: 'The document has no source to update.' },
  exception: { status: 500, meaning: 'A defect of the server. Please report it.' },
  failed_node_exception: { status: 500, meaning: 'A node could not do its part; the cause says why.' },
  forbidden_exception: {
    status: 403,
    meaning: 'The request comes from an address or a web origin that is not allowed.',
  },
  http_host_connect_exception: {
    status: 500,
    meaning: 'Another server that `_reindex` reads from cannot be reached.',
  },
  illegal_argument_exception: { status: 400, meaning: 'A parameter has an invalid value.' },
  illegal_index_shard_state_exception: { status: 503, meaning: 'The index is not open.' },
  illegal_state_exception: { status: 400, meaning: 'The request does not fit the state of the index.' },
  index_closed_exception: { status: 400, meaning: 'The index is closed.' },
  index_not_found_exception: {
    status: 404,
    meaning: 'No index, alias or data stream has this name.',
  },
  index_out_of_bounds_exception: {
    status: 400,
    meaning: 'A script reads an item of a list or a character of a text that is not there.',
  },
  index_template_missing_exception: { status: 404, meaning: 'No template has this name.' },
  input_coercion_exception: { status: 400, meaning: 'A number does not fit the type of the field.' },
  invalid_alias_name_exception: { status: 400, meaning: 'An alias name breaks the rules for names.' },
  invalid_index_name_exception: { status: 400, meaning: 'An index name breaks the rules for names.' },
  invalid_index_template_exception: { status: 400, meaning: 'A template breaks the rules for templates.' },
  invalid_type_name_exception: { status: 400, meaning: 'A document type breaks the rules for names.' },
  json_parse_exception: { status: 400, meaning: 'The body is not JSON.' },
  json_e_o_f_exception: { status: 400, meaning: 'The JSON ends too early.' },
  mapper_exception: { status: 400, meaning: 'A mapping parameter cannot be changed.' },
  mapper_parsing_exception: {
    status: 400,
    meaning: 'A document or a mapping does not parse; the reason names the field.',
  },
  mustache_exception: {
    status: 400,
    meaning: 'A template does not parse, takes too many steps, or needs a value that is not there.',
  },
  mustache_not_found_exception: {
    status: 400,
    meaning: 'A template includes another template, which is not supported.',
  },
  named_object_not_found_exception: {
    status: 400,
    meaning: 'The name of a query or an aggregation is unknown.',
  },
  no_node_available_exception: {
    status: 503,
    meaning:
      'No node of the cluster that holds the documents can be reached. The request was not carried out.',
  },
  no_such_node_exception: { status: 400, meaning: 'No node has this name or id.' },
  node_answer_exception: {
    status: 502,
    meaning:
      'The address of the cluster that holds the documents did not answer as a node does: it sent a redirect, a web page, unreadable JSON or JSON without a result. A write may or may not have been carried out.',
  },
  node_disconnected_exception: {
    status: 503,
    meaning:
      'The connection to a node of the cluster that holds the documents was lost during the request. A write may or may not have been carried out.',
  },
  not_on_cluster_exception: {
    status: 400,
    meaning:
      'The documents are in a cluster, which does not support this operation; docs/cluster.md lists what it supports.',
  },
  not_x_content_exception: {
    status: 400,
    meaning: 'The body is not JSON or another supported format.',
  },
  null_pointer_exception: { status: 400, meaning: 'A script uses a value that is null.' },
  number_format_exception: { status: 400, meaning: 'A number was expected.' },
  painless_error: { status: 400, meaning: 'A script takes more steps or memory than the limit allows.' },
  parse_exception: { status: 400, meaning: 'A value does not parse.' },
  parsing_exception: {
    status: 400,
    meaning: 'A query or request body has an unknown or misplaced element.',
  },
  pattern_syntax_exception: { status: 400, meaning: 'A pattern of an analyzer is malformed.' },
  query_shard_exception: { status: 400, meaning: 'The query does not fit the fields of the index.' },
  records_moved_exception: {
    status: 503,
    meaning:
      'The records, which store document events, have moved to another store or are still being moved here; docs/migrating.md says what to do.',
  },
  records_unreachable_exception: {
    status: 503,
    meaning:
      'While document events are followed, a write to a cluster is first noted in the records. The records did not accept the note, so the write was not carried out.',
  },
  rejected_execution_exception: { status: 429, meaning: 'Too many requests are waiting. Try again later.' },
  resource_already_exists_exception: { status: 400, meaning: 'An index with this name already exists.' },
  resource_not_found_exception: { status: 404, meaning: 'Nothing has this name.' },
  routing_missing_exception: { status: 400, meaning: 'The mapping requires a routing value.' },
  search_context_missing_exception: {
    status: 404,
    meaning: 'The scroll or point in time is no longer open.',
  },
  search_exception: { status: 500, meaning: 'Parts of the search exclude each other.' },
  search_phase_execution_exception: {
    status: 400,
    meaning: 'The search failed; the root cause gives the reason.',
  },
  script_exception: {
    status: 400,
    meaning: 'A script does not compile or has failed; the position says where.',
  },
  security_exception: {
    status: 403,
    meaning: 'The key is missing or invalid (401), or does not allow this operation (403).',
  },
  settings_exception: { status: 400, meaning: 'A setting is unknown, private or final.' },
  status_exception: {
    status: 500,
    meaning: 'Another server that `_reindex` reads from refused the search; the status is its own.',
  },
  strict_dynamic_mapping_exception: {
    status: 400,
    meaning: 'The mapping is strict and the document has an unknown field.',
  },
  timeout_exception: { status: 503, meaning: 'The request took longer than its time limit.' },
  too_many_buckets_exception: {
    status: 503,
    meaning: 'The aggregations would return more buckets than `search.max_buckets` allows.',
  },
  too_many_clauses: { status: 400, meaning: 'The query has more clauses than the limit allows.' },
  too_many_nested_clauses: {
    status: 400,
    meaning: 'The texts and fuzzy terms of a query expand to more terms than the clause limit allows.',
  },
  too_long_http_line_exception: {
    status: 414,
    meaning: 'The path and query string are longer than the limit allows.',
  },
  type_missing_exception: { status: 404, meaning: 'The index has no documents of this type.' },
  unavailable_shards_exception: {
    status: 503,
    meaning: 'The request asked for more copies than exist; one node holds one copy.',
  },
  unsupported_operation_exception: { status: 400, meaning: 'The operation is not supported on this field.' },
  validation_exception: { status: 400, meaning: 'The request breaks a limit of the cluster.' },
  version_conflict_engine_exception: {
    status: 409,
    meaning: 'The document has another version than the request expects.',
  },
  x_content_parse_exception: {
    status: 400,
    meaning: 'A request body has an element that is unknown or has the wrong type.',
  },
} as const;

/** The wire name of an error. */
export type ErrorType = keyof typeof ERROR_TYPES;

/**
 * Extra members of an error's object on the wire: JSON. Declared here because `json/` throws these errors.
 */
export interface ErrorDetails {
  [key: string]: ErrorDetail;
}

type ErrorDetail = null | boolean | number | bigint | string | ErrorDetail[] | ErrorDetails;

/** A mistake of the caller, or a limit that was reached. The wire prints `details` beside type and reason. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly type: ErrorType;
  readonly status: number;
  /** Extra members of the wire's error object, such as `index`, `line`, `col`. */
  readonly details: ErrorDetails;
  /** The cause, printed as `caused_by`. */
  readonly causedBy: EngineError | undefined;

  constructor(
    type: ErrorType,
    reason: string,
    options: { status?: number; details?: ErrorDetails; causedBy?: EngineError } = {},
  ) {
    super(reason);
    this.type = type;
    this.status = options.status ?? ERROR_TYPES[type].status;
    this.details = options.details ?? {};
    this.causedBy = options.causedBy;
  }
}

/** Shorthand for the most frequent error. */
export function illegalArgument(reason: string, details: ErrorDetails = {}): EngineError {
  return new EngineError('illegal_argument_exception', reason, { details });
}
