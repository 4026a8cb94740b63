// The `_terms_enum` endpoints of Elasticsearch: terms of a keyword field that begin with a text, for completion while typing.
// They are the keys of a terms aggregation, so that filters of aliases and keys count.

import { illegalArgument, type JsonObject, Members, type SearchRequest } from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { shardCount } from '../resolve/shards.ts';
import { searchTarget } from '../resolve/target.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { fieldMapping } from '../source/stored-fields.ts';
import { resolveLookups } from './body/document-lookups.ts';
import { millisMember } from './body/scalar-members.ts';
import { wrapShardErrors } from './search-errors.ts';

/** The rows of this family. */
export const termsEnumRoutes: readonly Route[] = [
  { methods: ['GET', 'POST'], path: '/{index}/_terms_enum', params: RESOLVE_PARAMS, handle: termsEnum },
];

const DEFAULT_SIZE = 10;
const MAX_SIZE = 10_000;
const KINDS: ReadonlySet<string> = new Set(['keyword', 'constant_keyword', 'version', 'wildcard']);

interface TermsEnumSpec {
  readonly field: string;
  readonly prefix: string;
  readonly size: number;
  readonly ignoresCase: boolean;
  readonly after: string | undefined;
  readonly filter: JsonObject | undefined;
  readonly timeoutMs: number | undefined;
}

async function termsEnum(call: Call, services: Services): Promise<Reply> {
  requireBody(call);
  const spec = readTermsEnum(call.object());
  const target = searchTarget(services.engine, call);
  const indices = target.infos
    .filter(({ name, mappings }) => hasTerms(name, mappings, spec.field))
    .map(({ name }) => name);
  const shards = shardCount(target.infos);
  const _shards = { total: shards, successful: shards, failed: 0 };
  if (indices.length === 0) return { body: { _shards, terms: [], complete: true } };
  const request: SearchRequest = {
    indices,
    size: 0,
    trackTotalHits: false,
    ...(target.filters === undefined ? {} : { filters: target.filters }),
    query: resolveLookups(queryOf(spec), { engine: services.engine, indices }),
    aggregations: { terms: { terms: termsOf(spec) } },
    ...(spec.timeoutMs === undefined ? {} : { timeoutMs: spec.timeoutMs }),
    caller: call,
  };
  const result = await wrapShardErrors(services, target, request, () => services.engine.search(request));
  const found = result.aggregations?.get('terms');
  const buckets = found?.shape === 'buckets' ? found.buckets : [];
  const keys = buckets.map(({ name }) => name);
  const { after } = spec;
  const terms = after === undefined ? keys : keys.filter((key) => isBehind(key, after));
  // Too many terms before the wanted ones may hide some of these.
  const isCut = after !== undefined && keys.length === MAX_SIZE && terms.length < spec.size;
  return {
    body: { _shards, terms: terms.slice(0, spec.size), complete: !result.timedOut && !isCut },
  };
}

/** False for an index without the field. Throws for a field that has no terms of this kind. */
function hasTerms(index: string, mappings: JsonObject, field: string): boolean {
  const type = fieldMapping(mappings, field)?.['type'];
  if (type === undefined) return false;
  if (KINDS.has(String(type))) return true;
  throw illegalArgument(
    `[_terms_enum] takes fields of type [${[...KINDS].join('], [')}]; [${field}] of [${index}] is [${String(type)}]`,
  );
}

function readTermsEnum(body: JsonObject): TermsEnumSpec {
  const members = new Members('terms_enum', body);
  const field = members.text('field');
  const prefix = members.optionalText('string') ?? '';
  const size = members.integer('size') ?? DEFAULT_SIZE;
  const ignoresCase = members.flag('case_insensitive') ?? false;
  const after = members.text('search_after');
  const filter = members.object('index_filter');
  const timeoutMs = members.read('timeout', (value) => millisMember('timeout', value));
  members.end();
  const complaints = field === undefined ? ['field cannot be null'] : [];
  if (size < 1 || size > MAX_SIZE) complaints.push(`size must be between 1 and ${MAX_SIZE}, was [${size}]`);
  throwIfInvalid(complaints);
  return { field: field!, prefix, size, ignoresCase, after, filter, timeoutMs };
}

/** Documents with terms that can be among the answers. */
function queryOf({ field, prefix, ignoresCase, after, filter }: TermsEnumSpec): JsonObject {
  const parts: JsonObject[] = [{ exists: { field } }];
  if (prefix !== '') parts.push({ prefix: { [field]: { value: prefix, case_insensitive: ignoresCase } } });
  if (after !== undefined) parts.push({ range: { [field]: { gt: after } } });
  if (filter !== undefined) parts.push(filter);
  return { bool: { filter: parts } };
}

function termsOf({ field, prefix, size, ignoresCase, after }: TermsEnumSpec): JsonObject {
  return {
    field,
    // A document may also have terms before the last one of the page before.
    size: after === undefined ? size : MAX_SIZE,
    order: { _key: 'asc' },
    ...(prefix === '' ? {} : { include: `${patternOf(prefix, ignoresCase)}.*` }),
  };
}

/** The text as a regular expression of Lucene, which runs as an automaton. */
function patternOf(text: string, ignoresCase: boolean): string {
  let pattern = '';
  for (const character of text) {
    // Only ASCII letters, as with the query `prefix`.
    const isLetter = /^[a-z]$/i.test(character);
    if (ignoresCase && isLetter) pattern += `[${character.toLowerCase()}${character.toUpperCase()}]`;
    else pattern += /[\p{L}\p{N}\s]/u.test(character) ? character : `\\${character}`;
  }
  return pattern;
}

/** The order of terms is that of their bytes. */
function isBehind(term: string, after: string): boolean {
  return Buffer.compare(Buffer.from(term), Buffer.from(after)) > 0;
}
