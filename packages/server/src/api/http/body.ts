// How does a JSON body come in? Strictly: one value, no duplicate keys, no integer that a double would change, no key
// that would reach a prototype. An empty body is no body, whatever its content type says.

import { EngineError, type JsonValue, parseJson } from '@octavo/engine';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../errors/problem.ts';
import { readBody } from '../../http/body-reader.ts';
import type { Limits } from '../../limits.ts';

/** What `request.body` can be before its schema is checked. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [key: string]: PlainJson };

/** Reads and parses the body of a request; undefined when there is none. Throws Problem or EngineError. */
export async function readJsonBody(
  request: FastifyRequest,
  { apiBodyBytes, nesting }: Pick<Limits, 'apiBodyBytes' | 'nesting'>,
): Promise<PlainJson | object | undefined> {
  const bytes = await bytesOf(request, apiBodyBytes);
  if (isBlank(bytes)) return undefined;
  const type = request.headers['content-type'];
  if (type !== undefined && type !== 'application/json') checkType(type);
  return plain(parseJson(bytes, { maxDepth: nesting }), undefined, '');
}

async function bytesOf(request: FastifyRequest, limit: number): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return await readBody(request.raw, limit);
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    throw new Problem(
      'unsupported-media-type',
      `A body with the content encoding ${encoding} is not read here: use gzip, deflate or none.`,
      { headers: { 'accept-encoding': 'gzip, deflate' } },
    );
  }
  try {
    return await readBody(request.raw, limit);
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 400) throw error;
    throw new Problem('invalid-body', `The body is not what ${encoding} makes, or not all of it has come.`);
  }
}

const NOT_JSON = { headers: { 'accept-post': 'application/json' } };

/** `application/json`, `application/merge-patch+json`, in UTF-8. Throws unsupported-media-type. */
function checkType(contentType: string): void {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json' && !/^application\/[a-z0-9.-]+\+json$/.test(type)) {
    throw new Problem(
      'unsupported-media-type',
      `Bodies of type ${contentType} are not read here. Send JSON with the header content-type: application/json.`,
      NOT_JSON,
    );
  }
  // JSON is UTF-8 (RFC 8259, 8.1); what says that it is something else would be read wrongly.
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset === undefined || /^charset="?utf-?8"?$/.test(charset)) return;
  throw new Problem(
    'unsupported-media-type',
    `Bodies are read as UTF-8; this one says ${charset}. Send UTF-8.`,
    NOT_JSON,
  );
}

/** Where a value stands in the body; its path is written only for a refusal. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

/** Ordinary objects and doubles, as validators and handlers expect them. Depth is bounded by the parser. */
function plain(value: JsonValue, parent: Place | undefined, key: string | number): PlainJson {
  if (typeof value === 'bigint') {
    const path = pathOf({ parent, key });
    throw new Problem(
      'invalid-body',
      `${path === '' ? 'The body' : path} is an integer beyond 2^53, which would not survive. Send it as a string.`,
      path === '' ? {} : { field: path },
    );
  }
  if (typeof value !== 'object' || value === null) return value as PlainJson;
  const place = { parent, key };
  if (Array.isArray(value)) return value.map((item, i) => plain(item, place, i));
  const out: Record<string, PlainJson> = {};
  for (const name of Object.keys(value)) {
    if (name === '__proto__') {
      const field = pathOf({ parent: place, key: name });
      throw new Problem('invalid-body', `The key ${field} is not allowed.`, { field });
    }
    out[name] = plain((value as Readonly<Record<string, JsonValue>>)[name]!, place, name);
  }
  return out;
}

/** `transfers[3].money`; empty for the body itself. */
function pathOf({ parent, key }: Place): string {
  if (parent === undefined) return '';
  const path = pathOf(parent);
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Nothing but the white space of JSON. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}
