// Mappings, settings and aliases of indices, created at the target as at the source. Settings unknown to
// the target are left out and reported. Templates are copied if everything is.

import { Failure } from '../failure.ts';
import { refusalReason } from '../io/http-client.ts';
import type { Endpoint } from './endpoint.ts';

type Json = null | boolean | number | string | Json[] | { readonly [key: string]: Json };
type JsonMap = Readonly<Record<string, Json>>;

/** An index as the source describes it. */
export interface SourceIndex {
  readonly name: string;
  readonly uuid: string;
  readonly mappings: JsonMap;
  /** Without settings that belong to the store and not to the index. */
  readonly settings: Readonly<Record<string, Json>>;
  readonly aliases: JsonMap;
}

/** Settings that say where and when an index was created, or which node has it. */
const NOT_COPIED =
  /^index\.(uuid|creation_date|creation_date_string|provided_name|version\.|history|resize\.|routing\.|blocks\.|replication\.|remote_store\.|verified_before_close|merge\.policy\.|data_stream)/;

/**
 * The open indices that names, wildcards and aliases resolve to; without names, all that are not hidden.
 */
export async function listIndices(
  endpoint: Endpoint,
  wanted: readonly string[] | undefined,
): Promise<SourceIndex[]> {
  const path = wanted === undefined ? '_all' : wanted.map(encodeURIComponent).join(',');
  const answer = await endpoint.send('GET', `/${path}?flat_settings=true&expand_wildcards=open`);
  if (answer.status === 404)
    throw new Failure(`${endpoint.name} has no such index: ${refusalReason(answer)}`);
  if (answer.status >= 400)
    throw new Failure(`${endpoint.name} does not list its indices: ${refusalReason(answer)}`);
  const found = JSON.parse(answer.body.toString('utf8')) as Record<
    string,
    { aliases?: JsonMap; mappings?: JsonMap; settings?: Record<string, Json> }
  >;
  if (wanted !== undefined && Object.keys(found).length === 0)
    throw new Failure(`${endpoint.name} has no index that matches ${wanted.join(',')}.`);
  return Object.entries(found)
    .filter(([name]) => wanted !== undefined || !name.startsWith('.'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { aliases = {}, mappings = {}, settings = {} }]) => ({
      name,
      uuid: String(settings['index.uuid'] ?? ''),
      mappings,
      settings: Object.fromEntries(Object.entries(settings).filter(([key]) => !NOT_COPIED.test(key))),
      aliases,
    }));
}

/** Throws for an index whose documents cannot be read back completely. */
export function requireStoredSource({ name, mappings }: SourceIndex): void {
  const kept = mappings['_source'];
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return;
  const { enabled, includes, excludes } = kept as JsonMap;
  if (enabled === false || includes !== undefined || excludes !== undefined)
    throw new Failure(
      `${name} does not store complete documents (its mapping has ${JSON.stringify({ _source: kept })}): they cannot be copied. Leave it out: list the other indices with --index.`,
    );
}

/** The number of documents; undefined if there is no such index. */
export async function countDocuments(endpoint: Endpoint, name: string): Promise<number | undefined> {
  const answer = await endpoint.send('GET', `/${encodeURIComponent(name)}/_count`);
  if (answer.status === 404) return undefined;
  if (answer.status >= 400)
    throw new Failure(`${endpoint.name} refused to count ${name}: ${refusalReason(answer)}`);
  return (JSON.parse(answer.body.toString('utf8')) as { count: number }).count;
}

/** Settings for the target: `number_of_shards` or `index.number_of_shards`. */
export type TargetSettings = Readonly<Record<string, Json>>;

/** Creates an index and returns the settings that were left out. */
export async function createAtTarget(
  target: Endpoint,
  { name, mappings, settings, aliases }: SourceIndex,
  wishes: TargetSettings,
): Promise<string[]> {
  const given: Record<string, Json> = { ...settings };
  for (const [key, value] of Object.entries(wishes))
    given[key.startsWith('index.') ? key : `index.${key}`] = value;
  const leftOut: string[] = [];
  for (;;) {
    const body = JSON.stringify({ settings: given, mappings, aliases });
    const answer = await target.send('PUT', `/${encodeURIComponent(name)}`, body);
    if (answer.status < 400) return leftOut;
    const unknown = unknownSettings(answer.body.toString('utf8')).filter((key) => Object.hasOwn(given, key));
    if (unknown.length === 0)
      throw new Failure(`${target.name} refused to create ${name}: ${refusalReason(answer)}`);
    for (const key of unknown) delete given[key];
    leftOut.push(...unknown);
  }
}

function unknownSettings(text: string): string[] {
  const found = text.matchAll(/(?:unknown|private index|final) setting \[([^\]]+)\]/g);
  return [...new Set([...found].map(([, key]) => key!))];
}

/** Adds fields the source has gained; returns why the target refuses them. */
export async function updateMapping(
  target: Endpoint,
  { name, mappings }: SourceIndex,
): Promise<string | undefined> {
  if (Object.keys(mappings).length === 0) return undefined;
  const answer = await target.send('PUT', `/${encodeURIComponent(name)}/_mapping`, JSON.stringify(mappings));
  return answer.status < 400 ? undefined : refusalReason(answer);
}

const TEMPLATES: readonly { path: string; list: string | undefined; body: string | undefined }[] = [
  { path: '_component_template', list: 'component_templates', body: 'component_template' },
  { path: '_index_template', list: 'index_templates', body: 'index_template' },
  { path: '_template', list: undefined, body: undefined },
];

/** Copies templates the target lacks. Returns their names, and notes on refused ones. */
export async function copyTemplates(
  source: Endpoint,
  target: Endpoint,
  dry: boolean,
): Promise<{ copied: string[]; notes: string[] }> {
  const copied: string[] = [];
  const notes: string[] = [];
  for (const { path, list, body } of TEMPLATES) {
    const there = new Set((await listTemplates(target, path, list, body)).map(([name]) => name));
    for (const [name, template] of await listTemplates(source, path, list, body)) {
      if (name.startsWith('.') || there.has(name)) continue;
      const answer = dry
        ? undefined
        : await target.send('PUT', `/${path}/${encodeURIComponent(name)}`, JSON.stringify(template));
      if (answer === undefined || answer.status < 400) copied.push(name);
      else notes.push(`the template ${name} was refused: ${refusalReason(answer)}`);
    }
  }
  return { copied, notes };
}

async function listTemplates(
  endpoint: Endpoint,
  path: string,
  list: string | undefined,
  body: string | undefined,
): Promise<[string, Json][]> {
  const answer = await endpoint.send('GET', `/${path}`);
  if (answer.status >= 400) return [];
  const all = JSON.parse(answer.body.toString('utf8')) as JsonMap;
  if (list === undefined || body === undefined) return Object.entries(all);
  return (all[list] as Record<string, Json>[]).map((each) => [String(each['name']), each[body]!]);
}
