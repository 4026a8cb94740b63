// Reads the body of `_reindex`: where documents come from, where they go, and what becomes of them on the way.

import {
  attachPlace,
  EngineError,
  illegalArgument,
  integerMember,
  isObject,
  type JsonObject,
  type JsonValue,
  parserPlaceOf,
  readScript,
  type ScriptSpec,
} from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { firstTokenName } from '../../json/json-body.ts';
import { parseVersionType, refusePipeline, type WriteConditions } from '../documents/write-params.ts';
import { readSearchMember } from '../search/body/search-body.ts';
import { emptySpec, type SearchSpec } from '../search/body/search-spec.ts';
import { type SourceFilter, WHOLE_SOURCE } from '../source/source-filter.ts';
import { proceedsIn } from './by-query-params.ts';
import { type RemoteServer, readRemote } from './remote-spec.ts';

/** Where the documents come from. */
interface ReindexSource {
  readonly indices: readonly string[];
  /** `query`, `sort`, `slice`, and `size` of a page. */
  readonly search: SearchSpec;
  /** Another server that has them; undefined for this one. */
  readonly remote: RemoteServer | undefined;
  /** The parts of a document that are copied. */
  readonly parts: SourceFilter;
}

/** Where they go. */
interface ReindexDestination {
  readonly index: string;
  readonly kind: 'index' | 'create';
  readonly versionType: WriteConditions['versionType'];
  /** `keep`, `discard`, or the new routing behind `=`. */
  readonly routing: string;
}

/** The body of a request. */
export interface ReindexBody {
  readonly source: ReindexSource;
  readonly destination: ReindexDestination;
  readonly script: ScriptSpec | undefined;
  readonly maxDocs: number | undefined;
  readonly proceedsOnConflict: boolean;
}

/** Members of the source with the same meaning as in a search. */
const SEARCH_MEMBERS: ReadonlySet<string> = new Set(['query', 'size', 'slice', 'sort', 'from', '_source']);

export function readReindexBody(body: JsonObject): ReindexBody {
  let source: ReindexSource = {
    ...{ indices: [], search: emptySpec(), parts: WHOLE_SOURCE },
    remote: undefined,
  };
  let destination: ReindexDestination | undefined;
  let script: ScriptSpec | undefined;
  let maxDocs: number | undefined;
  let proceedsOnConflict = false;
  for (const name of Object.keys(body)) {
    if (name === 'source') source = readObject(body, name, 'reindex', readSource);
    else if (name === 'dest') destination = readObject(body, name, 'reindex', readDestination);
    else if (name === 'script') script = readScript(body, name, 'reindex');
    else if (name === 'max_docs' || name === 'size')
      maxDocs = readPart(body, name, 'reindex', (value) => documentCount(name, value));
    else if (name === 'conflicts')
      proceedsOnConflict = readPart(body, name, 'reindex', (value) => proceedsIn(textOf(value)));
    else throw unknownMember('reindex', body, name);
  }
  throwIfInvalid(complaintsOf(source, destination));
  return { source, destination: destination!, script, maxDocs, proceedsOnConflict };
}

function complaintsOf(
  { indices, search: { from }, parts }: ReindexSource,
  destination: ReindexDestination | undefined,
): string[] {
  const complaints: string[] = [];
  if (from !== undefined)
    complaints.push(
      'using [from] is not allowed in a scroll context',
      'from is not supported in this context',
    );
  if (!parts.enabled) complaints.push('_source:false is not supported in this context');
  if (indices.length === 0) complaints.push('use _all if you really want to copy from all existing indexes');
  if (destination === undefined) return [...complaints, 'index must be specified'];
  const { routing, kind, versionType } = destination;
  if (routing !== 'keep' && routing !== 'discard' && !routing.startsWith('='))
    complaints.push('routing must be unset, [keep], [discard] or [=<some new value>]');
  if (kind === 'create' && versionType !== undefined && versionType !== 'internal')
    complaints.push('create operations only support internal versioning. use index instead');
  return complaints;
}

function readSource(body: JsonObject): ReindexSource {
  const search = emptySpec();
  let indices: readonly string[] = [];
  let remote: RemoteServer | undefined;
  for (const [name, value] of Object.entries(body)) {
    if (name === 'index') indices = indexNames(value);
    else if (name === 'remote') remote = readRemote(value);
    else if (SEARCH_MEMBERS.has(name)) readSearchMember(search, body, name);
    else {
      const reason = `Unknown key for a ${firstTokenName(value)} in [${name}].`;
      throw attachPlace(new EngineError('parsing_exception', reason), {
        holder: body,
        key: name,
        at: 'value',
      });
    }
  }
  return { indices, search, parts: search.source ?? WHOLE_SOURCE, remote };
}

function indexNames(value: JsonValue): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => {
    if (typeof each === 'string') return each.split(',').filter((name) => name !== '');
    throw illegalArgument(`Expected [index] to be a list or a string but was [${JSON.stringify(value)}]`);
  });
}

function readDestination(body: JsonObject): ReindexDestination | undefined {
  const text = (name: string): string | undefined => {
    const value = body[name];
    if (value === undefined || typeof value === 'string') return value;
    throw wrongType('dest', body, name);
  };
  for (const name of Object.keys(body)) {
    if (!['index', 'op_type', 'version_type', 'routing', 'pipeline'].includes(name))
      throw unknownMember('dest', body, name);
  }
  const index = text('index');
  const kind = text('op_type')?.toLowerCase() ?? 'index';
  if (kind !== 'index' && kind !== 'create')
    throw failed(
      body,
      'op_type',
      'dest',
      illegalArgument(`opType must be 'create' or 'index', found: [${kind}]`),
    );
  const versionType = readPart(body, 'version_type', 'dest', () => parseVersionType(text('version_type')));
  refusePipeline(text('pipeline'));
  const routing = text('routing') ?? 'keep';
  return index === undefined ? undefined : { index, kind, versionType, routing };
}

function documentCount(name: string, value: JsonValue): number {
  const count = integerMember(name, value);
  if (count === -1) return Number.MAX_SAFE_INTEGER;
  if (count < 0) throw illegalArgument(`[max_docs] parameter cannot be negative, found [${count}]`);
  if (count === 0) throw illegalArgument('[max_docs] should be >= [slices]');
  return count;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reads an object member; its errors are wrapped as the peer's parser does. */
function readObject<T>(holder: JsonObject, key: string, parser: string, read: (value: JsonObject) => T): T {
  const value = holder[key]!;
  if (!isObject(value)) throw wrongType(parser, holder, key);
  return readPart(holder, key, parser, () => read(value));
}

function readPart<T>(holder: JsonObject, key: string, parser: string, read: (value: JsonValue) => T): T {
  try {
    return read(holder[key]!);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === 'action_request_validation_exception') throw error;
    throw failed(holder, key, parser, error);
  }
}

function failed(holder: JsonObject, key: string, parser: string, causedBy: EngineError): EngineError {
  const reason = `[${parser}] failed to parse field [${key}]`;
  const error = new EngineError('x_content_parse_exception', reason, { causedBy });
  // The place is that of the innermost value, as with the peer.
  return attachPlace(error, parserPlaceOf(causedBy) ?? { holder, key, at: 'value' });
}

function wrongType(parser: string, holder: JsonObject, key: string): EngineError {
  const reason = `[${parser}] ${key} doesn't support values of type: ${firstTokenName(holder[key]!)}`;
  return attachPlace(new EngineError('x_content_parse_exception', reason), { holder, key, at: 'value' });
}

function unknownMember(parser: string, holder: JsonObject, key: string): EngineError {
  const error = new EngineError('x_content_parse_exception', `[${parser}] unknown field [${key}]`);
  return attachPlace(error, { holder, key, at: 'key' });
}
