// How does a JSON body come in? Strictly: one value, no duplicate keys, no integer that a double would change, no key
// that would reach a prototype. An empty body is no body, whatever its content type says.

import { type JsonValue, parseJson } from '@octavo/engine';
import type { FastifyRequest } from 'fastify';
import { readBody } from '../wire/body-reader.ts';
import { Problem } from './problem.ts';

/** What `request.body` can be before its schema is checked. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [key: string]: PlainJson };

/** Reads and parses the body of a request; undefined when there is none. Throws Problem or EngineError. */
export async function readJsonBody(request: FastifyRequest, limit: number): Promise<PlainJson | undefined> {
  const bytes = await readBody(request.raw, limit);
  if (isBlank(bytes)) return undefined;
  const type = request.headers['content-type'];
  if (type !== undefined && !isJson(type)) {
    throw new Problem(
      'unsupported-media-type',
      `Bodies of type ${type} are not read here. Send JSON with the header content-type: application/json.`,
      { headers: { 'accept-post': 'application/json' } },
    );
  }
  return plain(parseJson(bytes), '');
}

/** `application/json`, `application/merge-patch+json`; parameters do not matter. */
function isJson(contentType: string): boolean {
  const semicolon = contentType.indexOf(';');
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  return type === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(type);
}

/** Ordinary objects and doubles, as validators and handlers expect them. Depth is bounded by the parser. */
function plain(value: JsonValue, path: string): PlainJson {
  if (typeof value === 'bigint') {
    throw new Problem(
      'invalid-body',
      `${path === '' ? 'The body' : path} is an integer beyond 2^53, which would not survive. Send it as a string.`,
      path === '' ? {} : { field: path },
    );
  }
  if (typeof value !== 'object' || value === null) return value as PlainJson;
  if (Array.isArray(value)) return value.map((item, i) => plain(item, `${path}[${i}]`));
  const out: Record<string, PlainJson> = {};
  for (const [key, member] of Object.entries(value)) {
    const field = path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') throw new Problem('invalid-body', `The key ${field} is not allowed.`, { field });
    out[key] = plain(member as JsonValue, field);
  }
  return out;
}

/** Nothing but the white space of JSON. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}
