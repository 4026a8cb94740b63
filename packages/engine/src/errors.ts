// Every error that a caller can meet: its name on the wire, its usual HTTP status and its meaning in one
// table, and the class that carries it. A test holds the reference documentation against the table.

/**
 * Every error type of the engine, by the name that OpenSearch gives it on the wire. The status is the usual one;
 * an error may carry another where the peer does.
 */
export const ERROR_TYPES = {
  action_request_validation_exception: {
    status: 400,
    meaning:
      'A required part of the request is missing, or two parts exclude each other; the reason lists them.',
  },
  aggregation_execution_exception: {
    status: 500,
    meaning:
      'The aggregation cannot run: `global` is below another aggregation, a sampler has no sub-aggregation, an `order` or `buckets_path` names an unsuitable aggregation, or a value has the wrong form. Correct what the reason names.',
  },
  aggregation_initialization_exception: {
    status: 500,
    meaning:
      'The aggregation has sub-aggregations, but its kind cannot have any. Move them to another level.',
  },
  aliases_not_found_exception: {
    status: 404,
    meaning: 'None of the named aliases exist. Check their names.',
  },
  arithmetic_exception: { status: 400, meaning: 'A script divides an integer by zero.' },
  bad_parameter_exception: {
    status: 400,
    meaning: 'The path or a parameter is not valid percent-encoded UTF-8. Encode it again.',
  },
  circuit_breaking_exception: {
    status: 429,
    meaning:
      'The request or its answer would take more memory than a limit allows. The reason names the limit, and says how to ask for less.',
  },
  class_cast_exception: { status: 400, meaning: 'A value in a script has the wrong type.' },
  cluster_block_exception: {
    status: 507,
    meaning:
      '507: the disk is full or no file descriptor is left. The write was refused; reads and deletes still work. 403: a setting of the index (`index.blocks`) forbids the operation. 503: the server is starting.',
  },
  content_too_long_exception: {
    status: 413,
    meaning: 'The body is longer than the limit in the reason. Send less at once.',
  },
  corrupt_index_exception: {
    status: 500,
    meaning: 'The bytes of a stored document are damaged or missing. Write it again, or restore a backup.',
  },
  cursor_expired: {
    status: 410,
    meaning: 'The token or its snapshot has expired. Start again from the first page.',
  },
  cursor_forbidden: {
    status: 403,
    meaning: 'The token belongs to another caller. Use the key that received it.',
  },
  cursor_invalid: {
    status: 400,
    meaning: 'The token cannot be read. Send it exactly as a reply returned it.',
  },
  cursor_mismatch: {
    status: 400,
    meaning:
      'The token was made for another index, query or sort. Send it with the request that it came from.',
  },
  date_time_parse_exception: {
    status: 400,
    meaning: 'A date matches none of the formats of its field, or a script cannot read it.',
  },
  document_missing_exception: {
    status: 404,
    meaning: 'The document to update does not exist. Create it first, or send an `upsert`.',
  },
  document_source_missing_exception: {
    status: 400,
    meaning: 'In a cluster: the document to update has no source.',
  },
  exception: {
    status: 500,
    meaning:
      'A script or a scoring function failed on a document, and the reason names the value; or the server has a defect: please report it.',
  },
  failed_node_exception: {
    status: 500,
    meaning: 'The node that the task id names could not stop the task; the cause gives the reason.',
  },
  forbidden_exception: {
    status: 403,
    meaning:
      'The request comes from a host name, an address or a web origin that is not allowed. The reason names it.',
  },
  http_host_connect_exception: {
    status: 500,
    meaning: 'The server that `_reindex` reads from cannot be reached.',
  },
  illegal_argument_exception: {
    status: 400,
    meaning: 'A parameter or a member of the body has an invalid value; the reason names it.',
  },
  illegal_index_shard_state_exception: {
    status: 404,
    meaning: 'In a cluster: a shard of the index is not ready. Try again later.',
  },
  illegal_state_exception: {
    status: 400,
    meaning:
      'The request needs something that the field does not store (such as positions), or that a document lacks (such as a value).',
  },
  index_closed_exception: { status: 400, meaning: 'The index is closed. Open it with `_open`.' },
  index_not_found_exception: { status: 404, meaning: 'No index, alias or data stream has this name.' },
  index_out_of_bounds_exception: {
    status: 400,
    meaning: 'A script reads beyond the end of a list or a text.',
  },
  index_template_missing_exception: { status: 404, meaning: 'The template to delete does not exist.' },
  input_coercion_exception: {
    status: 400,
    meaning: 'A number is outside the range of its type; the reason gives the range.',
  },
  invalid_alias_name_exception: {
    status: 400,
    meaning: 'The name is not valid for an alias; the reason gives the rule.',
  },
  invalid_index_name_exception: {
    status: 400,
    meaning: 'The name is not valid for an index; the reason gives the rule.',
  },
  invalid_index_template_exception: {
    status: 400,
    meaning: 'The template breaks a rule, or names a component template that does not exist.',
  },
  json_parse_exception: {
    status: 400,
    meaning: 'The JSON has a syntax error; the reason gives its line and column.',
  },
  json_e_o_f_exception: { status: 400, meaning: 'The JSON ends before it is complete.' },
  mapper_exception: {
    status: 400,
    meaning: 'The `enabled` parameter of an object cannot be changed. Create a new index and reindex.',
  },
  mapper_parsing_exception: {
    status: 400,
    meaning: 'A document or a mapping has an invalid part; the reason names the field.',
  },
  mustache_exception: {
    status: 400,
    meaning: 'A search template has a syntax error, takes too many steps, or needs a value that is missing.',
  },
  mustache_not_found_exception: {
    status: 400,
    meaning: 'A search template includes another template (`{{>name}}`), which is not supported.',
  },
  named_object_not_found_exception: {
    status: 400,
    meaning: 'There is no query, aggregation or suggester with this name.',
  },
  no_node_available_exception: {
    status: 503,
    meaning:
      'No node of the cluster that holds the documents can be reached. The request was not carried out. Send it again later.',
  },
  no_such_node_exception: {
    status: 400,
    meaning: 'The task id names another node. Use the id as `_tasks` lists it.',
  },
  node_answer_exception: {
    status: 502,
    meaning:
      'The address of the cluster returned something that no node returns: a redirect, a web page, invalid JSON, or JSON without a result. A write may or may not have been carried out. Ask the operator to check `--documents`.',
  },
  node_disconnected_exception: {
    status: 503,
    meaning:
      'The connection to a node of the cluster was lost during the request. A write may or may not have been carried out: check before you send it again.',
  },
  not_on_cluster_exception: {
    status: 400,
    meaning:
      'The documents are in a cluster, and this operation is not supported there. See [documents in a cluster](../cluster.md).',
  },
  not_x_content_exception: {
    status: 400,
    meaning: 'The body or the document must be a JSON object: it must begin with `{`.',
  },
  null_pointer_exception: { status: 400, meaning: 'A script uses a value that is null.' },
  number_format_exception: {
    status: 400,
    meaning: 'A text stands where a number is required; the reason quotes it.',
  },
  painless_error: { status: 400, meaning: 'The script takes more steps or memory than the limit allows.' },
  parse_exception: {
    status: 400,
    meaning: 'A value has the wrong form, such as a date or a geo point; the reason quotes it.',
  },
  parsing_exception: {
    status: 400,
    meaning: 'A query or an aggregation has an unknown or misplaced part; `line` and `col` give the place.',
  },
  pattern_syntax_exception: {
    status: 400,
    meaning: 'A regular expression of an analyzer has a syntax error.',
  },
  query_shard_exception: {
    status: 400,
    meaning:
      'The query does not fit the mapping of the index, such as the type of a field; the reason names the field.',
  },
  records_moved_exception: {
    status: 503,
    meaning:
      'The records, which store document events, have moved to another store, or their move is not complete. See [moving](../migrating.md).',
  },
  records_unreachable_exception: {
    status: 503,
    meaning:
      'While document events are read, a write to a cluster is first noted in the records. The records did not accept the note, so the write was not carried out. Send it again later.',
  },
  rejected_execution_exception: {
    status: 429,
    meaning:
      'A limit on requests, scrolls, slices or script steps is reached; the reason names it. Send less at once, or try again later.',
  },
  resource_already_exists_exception: {
    status: 400,
    meaning: 'An index with this name already exists. Choose another name, or delete the index.',
  },
  resource_not_found_exception: {
    status: 404,
    meaning: 'No task, template, script or other resource has this name.',
  },
  routing_missing_exception: {
    status: 400,
    meaning: 'The mapping requires a routing value. Send `routing`.',
  },
  search_context_missing_exception: {
    status: 404,
    meaning: 'The scroll or point in time has expired or was closed. Open a new one.',
  },
  search_exception: {
    status: 500,
    meaning: 'Two parts of the search exclude each other; the reason names them.',
  },
  search_phase_execution_exception: {
    status: 400,
    meaning:
      'The search failed on all indices, or on some of them where the hits of the others are not wanted; `root_cause` gives the reason.',
  },
  script_exception: {
    status: 400,
    meaning: 'A script does not compile, or failed; `script_stack` shows the place, `caused_by` the reason.',
  },
  security_exception: {
    status: 403,
    meaning: '401: the request has no valid key. 403: the key does not allow this operation.',
  },
  settings_exception: {
    status: 400,
    meaning: 'A setting is unknown, or a similarity has an invalid setting; the reason names it.',
  },
  status_exception: {
    status: 500,
    meaning:
      'The server that `_reindex` reads from refused the search. The status is that of the other server.',
  },
  strict_dynamic_mapping_exception: {
    status: 400,
    meaning:
      'The mapping is `strict`, and the document has a field that the mapping does not have. Add the field to the mapping first.',
  },
  timeout_exception: {
    status: 503,
    meaning:
      '503 in three cases: a node of the cluster did not answer within `clusterAnswerMs`; a task did not end within the `timeout` of `GET /_tasks/{id}`; or the search was cancelled. A search that exceeds its own `timeout` gets 200 with `timed_out: true`.',
  },
  too_many_buckets_exception: {
    status: 503,
    meaning:
      'The aggregations would return more buckets than `search.max_buckets` allows. Ask for fewer, or page them with `composite`.',
  },
  too_many_clauses: { status: 400, meaning: 'The query has more clauses than the limit allows (`clauses`).' },
  too_many_nested_clauses: {
    status: 400,
    meaning: 'The texts and fuzzy terms of a query expand to more terms than the limit allows (`clauses`).',
  },
  too_long_http_line_exception: {
    status: 414,
    meaning:
      'The path and the query string together are longer than the limit (`uriBytes`). Send long values in the body.',
  },
  unavailable_shards_exception: {
    status: 503,
    meaning: '`wait_for_active_shards` asks for more copies than exist. There is one copy.',
  },
  unsupported_operation_exception: {
    status: 400,
    meaning:
      'The operation is not supported on this field, or a script changes a list or map that cannot be changed.',
  },
  validation_exception: {
    status: 400,
    meaning: 'The request sets a private setting of an index. Leave it out.',
  },
  version_conflict_engine_exception: {
    status: 409,
    meaning:
      'The document has another version than the request expects. Read it again, then repeat the change.',
  },
  x_content_parse_exception: {
    status: 400,
    meaning: 'A part of the body is unknown or has the wrong type; the reason names it.',
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
  /** False while documents are mapped: the stacks of 100,000 refused documents would take 7 s, and no reply shows them. */
  static hasStack = true;
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
    const { stackTraceLimit } = Error;
    if (!EngineError.hasStack) Error.stackTraceLimit = 0;
    super(reason);
    Error.stackTraceLimit = stackTraceLimit;
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

/** An error as a message between threads: cloning an Error loses its own members. */
export interface ErrorMessage {
  readonly type: ErrorType;
  readonly message: string;
  readonly status: number;
  readonly details: ErrorDetails;
  readonly causedBy: ErrorMessage | undefined;
}

export function packError({ type, message, status, details, causedBy }: EngineError): ErrorMessage {
  return { type, message, status, details, causedBy: causedBy && packError(causedBy) };
}

export function unpackError({ type, message, status, details, causedBy }: ErrorMessage): EngineError {
  return new EngineError(type, message, {
    ...{ status, details },
    ...(causedBy !== undefined && { causedBy: unpackError(causedBy) }),
  });
}
