// Idempotent writes by the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a repeated
// request gets the first one's answer. Requests are equal if method, path, parameters and body are.

import { hash } from 'node:crypto';
import { canonicalText } from '@octavo/paging';
import type { WriteOptions } from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TOptional, TString } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import { Type } from './json-schema.ts';

/** The header in the OpenAPI document. A malformed key has a problem of its own. */
export const IdempotencyHeader: TObject<{ 'idempotency-key': TOptional<TString> }> = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 characters of printable ASCII. The same request with the same key within 24 hours gets the same answer, with `Idempotent-Replayed: true`.',
    }),
  ),
});

/** 1 to 255 characters of printable ASCII, without blanks at its ends. */
const IDEMPOTENCY_KEY: RegExp = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Options of the write a request makes; a replayed answer sets a header. Throws idempotency-key-invalid, and
 * idempotency-key-required if the endpoint needs a key.
 */
export function writeOptions(request: FastifyRequest, reply: FastifyReply, required = false): WriteOptions {
  const key = request.headers['idempotency-key'];
  if (key === undefined && required) {
    throw new Problem(
      'idempotency-key-required',
      'This request needs an Idempotency-Key, so that it can be sent again safely. Send a new UUID.',
      { field: 'Idempotency-Key' },
    );
  }
  if (key === undefined) return {};
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new Problem(
      'idempotency-key-invalid',
      'An Idempotency-Key must have 1 to 255 printable ASCII characters, without blanks at its ends, such as a UUID.',
      { field: 'Idempotency-Key' },
    );
  }
  return {
    idempotency: { principal: request.principal.id, key, fingerprint: fingerprintOf(request) },
    onReplay: () => void reply.header('idempotent-replayed', 'true'),
  };
}

function fingerprintOf({ method, raw, query, body }: FastifyRequest): string {
  return requestFingerprint(method, (raw.url ?? '').split('?', 1)[0]!, query, body);
}

/** The fingerprint of a request. `path` with or without its last slash. */
function requestFingerprint(method: string, path: string, query: unknown, body: unknown): string {
  const said = canonicalText([method, path.replace(/\/$/, ''), query, body]);
  return hash('sha256', said, 'base64url');
}
