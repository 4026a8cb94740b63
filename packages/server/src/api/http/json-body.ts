// Reads JSON bodies strictly: one value, no duplicate keys, no integer beyond double precision, no key that
// reaches a prototype. An empty body is no body, whatever its content type.

import { EngineError, type JsonValue, parseJson } from '@octavo/engine';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../errors/problem.ts';
import { readBody } from '../../http/body-reader.ts';
import type { Limits } from '../../limits.ts';

/** The body before its schema is checked. */
type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [key: string]: PlainJson };

/** Reads and parses a body; undefined if there is none. Throws Problem or EngineError. */
export async function readJsonBody(
  request: FastifyRequest,
  { apiBodyBytes, nesting, jsonValues }: Pick<Limits, 'apiBodyBytes' | 'nesting' | 'jsonValues'>,
): Promise<PlainJson | object | undefined> {
  const bytes = await bytesOf(request, apiBodyBytes);
  if (isBlank(bytes)) return undefined;
  const type = request.headers['content-type'];
  if (type !== undefined && type !== 'application/json') checkType(type);
  return toPlainJson(parseJson(bytes, { maxDepth: nesting, maxValues: jsonValues }), undefined, '');
}

async function bytesOf(request: FastifyRequest, limit: number): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return await readBody(request.raw, limit);
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    throw new Problem(
      'unsupported-media-type',
      `The content encoding ${encoding} is not supported: use gzip, deflate or none.`,
      { headers: { 'accept-encoding': 'gzip, deflate' } },
    );
  }
  try {
    return await readBody(request.raw, limit);
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 400) throw error;
    throw new Problem('invalid-body', `The body is not valid ${encoding}, or is incomplete.`);
  }
}

const NOT_JSON = { headers: { 'accept-post': 'application/json' } };

/** Accepts `application/json` and `application/…+json` in UTF-8. Throws unsupported-media-type. */
function checkType(contentType: string): void {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json' && !/^application\/[a-z0-9.-]+\+json$/.test(type)) {
    throw new Problem(
      'unsupported-media-type',
      `Bodies of type ${contentType} are not supported. Send JSON with the header content-type: application/json.`,
      NOT_JSON,
    );
  }
  // JSON is UTF-8 (RFC 8259, 8.1); another charset would be misread.
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset === undefined || /^charset="?utf-?8"?$/.test(charset)) return;
  throw new Problem('unsupported-media-type', `Bodies must be UTF-8; this one has ${charset}.`, NOT_JSON);
}

/** A position in the body. Its path is only written for a refusal. */
interface BodyPosition {
  readonly parent: BodyPosition | undefined;
  readonly key: string | number;
}

/** Converts to ordinary objects and doubles for validators and handlers. The parser bounds the depth. */
function toPlainJson(value: JsonValue, parent: BodyPosition | undefined, key: string | number): PlainJson {
  if (typeof value === 'bigint') {
    const path = pathOf({ parent, key });
    throw new Problem(
      'invalid-body',
      `${path === '' ? 'The body' : path} is an integer beyond 2^53, which JSON numbers cannot represent exactly. Send it as a string.`,
      path === '' ? {} : { field: path },
    );
  }
  if (typeof value !== 'object' || value === null) return value as PlainJson;
  const position = { parent, key };
  if (Array.isArray(value)) return value.map((item, i) => toPlainJson(item, position, i));
  const out: Record<string, PlainJson> = {};
  for (const name of Object.keys(value)) {
    if (name === '__proto__') {
      const field = pathOf({ parent: position, key: name });
      throw new Problem('invalid-body', `The key ${field} is not allowed.`, { field });
    }
    out[name] = toPlainJson((value as Readonly<Record<string, JsonValue>>)[name]!, position, name);
  }
  return out;
}

/** `transfers[3].money`; empty for the body itself. */
function pathOf({ parent, key }: BodyPosition): string {
  if (parent === undefined) return '';
  const path = pathOf(parent);
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** True for a body of JSON white space. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}
