// Translates API calls of the tests, such as `indices.put_alias` with arguments, into HTTP requests. The
// suite's `api` folder describes paths, methods, parameters and bodies.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Failed } from './failed.ts';
import { textOf, type Value, type ValueMap, writeJson } from './values.ts';

interface Path {
  readonly path: string;
  readonly methods: readonly string[];
  readonly parts?: Readonly<Record<string, unknown>>;
  readonly deprecated?: unknown;
}

interface Api {
  readonly url: { readonly paths: readonly Path[] };
  readonly params?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly body?: { readonly required?: boolean; readonly serialize?: string } | null;
}

export interface Apis {
  readonly byName: ReadonlyMap<string, Api>;
  readonly general: ReadonlySet<string>;
}

interface HttpCall {
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
}

export function loadApis(folder: string): Apis {
  const byName = new Map<string, Api>();
  let general = new Set<string>();
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.json')) continue;
    const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, Api>;
    if (file === '_common.json') general = new Set(Object.keys(content['params'] ?? {}));
    else
      for (const [name, api] of Object.entries(content))
        if (api.url?.paths !== undefined) byName.set(name, api);
  }
  return { byName, general };
}

/** The request for a call. `args` are path parts, parameters and `body`. */
export function toHttp(apis: Apis, name: string, args: ValueMap, yamlBody: boolean): HttpCall {
  const api = apis.byName.get(name);
  if (api === undefined) throw new Failed(`there is no API ${name}`);
  const body = args.get('body');
  const given = new Map([...args].filter(([key]) => key !== 'body' && key !== 'ignore'));
  const path = choosePath(api, name, given);
  refuseWrongArguments(api, name, given, body);
  let target = path.path;
  const query: string[] = [];
  for (const [key, value] of given) {
    if (path.parts !== undefined && key in path.parts) {
      target = target.replace(
        `{${key}}`,
        encodeURIComponent(listText(value)).replace(/%2C/gi, ',').replace(/%3A/gi, ':'),
      );
    } else if (api.params?.[key] !== undefined || apis.general.has(key)) {
      query.push(`${encodeURIComponent(key)}=${encodeURIComponent(listText(value))}`);
    } else throw new Failed(`${name} knows no parameter ${key}`);
  }
  if (query.length > 0) target += `?${query.join('&')}`;
  const lines = api.body?.serialize === 'bulk';
  return { method: chooseMethod(path, name, given, body), target, body: encode(body, lines, yamlBody) };
}

/** The path with all given parts: the longest one, deprecated paths last. */
function choosePath(api: Api, name: string, given: ReadonlyMap<string, Value>): Path {
  const anyPart = new Set(api.url.paths.flatMap((path) => Object.keys(path.parts ?? {})));
  const parts = [...given.keys()].filter((key) => anyPart.has(key) && api.params?.[key] === undefined);
  const size = (path: Path): number => Object.keys(path.parts ?? {}).length;
  const [best] = api.url.paths
    .filter((path) =>
      Object.keys(path.parts ?? {}).every((part) => ![undefined, null, ''].includes(given.get(part) as null)),
    )
    .filter((path) => parts.every((part) => path.parts !== undefined && part in path.parts))
    .sort((a, b) => Number(Boolean(a.deprecated)) - Number(Boolean(b.deprecated)) || size(b) - size(a));
  if (best === undefined)
    throw new Failed(`${name} has no path for ${[...given.keys()].join(', ') || 'no arguments'}`);
  return best;
}

function refuseWrongArguments(
  api: Api,
  name: string,
  given: ReadonlyMap<string, Value>,
  body: Value | undefined,
): void {
  for (const [key, { required }] of Object.entries(api.params ?? {})) {
    if (required === true && !given.has(key)) throw new Failed(`${name} needs the parameter ${key}`);
  }
  if (api.body?.required === true && body === undefined && !given.has('source'))
    throw new Failed(`${name} needs a body`);
  if (body !== undefined && (api.body ?? undefined) === undefined) throw new Failed(`${name} takes no body`);
}

function chooseMethod(
  path: Path,
  name: string,
  given: ReadonlyMap<string, Value>,
  body: Value | undefined,
): string {
  const { methods } = path;
  const first = methods[0] ?? 'GET';
  if (name === 'index' || name === 'create') {
    const wanted = given.has('id') ? ['PUT', 'POST'] : ['POST'];
    return wanted.find((method) => methods.includes(method)) ?? first;
  }
  if (body === undefined) return methods.includes('GET') ? 'GET' : first;
  return ['POST', 'PUT'].find((method) => methods.includes(method)) ?? first;
}

function listText(value: Value): string {
  return Array.isArray(value) ? value.map(listText).join(',') : textOf(value);
}

function encode(body: Value | undefined, lines: boolean, yaml: boolean): string | undefined {
  if (body === undefined) return undefined;
  if (lines || (Array.isArray(body) && body.every((item) => typeof item === 'string'))) {
    return (Array.isArray(body) ? body : [body])
      .map(textOf)
      .map((line) => (line.endsWith('\n') ? line : `${line}\n`))
      .join('');
  }
  if (yaml && typeof body !== 'string') return stringify(JSON.parse(writeJson(body)));
  return textOf(body);
}
