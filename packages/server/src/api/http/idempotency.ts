// May this request be sent twice? With the header `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header)
// the second one is given the first one's answer. What makes requests the same: method, path, parameters, body.

import { hash } from 'node:crypto';
import { canonicalText } from '@octavo/paging';
import type { WriteOptions } from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TOptional, TString } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import { Type } from './json-schema.ts';

/** The header as the OpenAPI document shows it. What is wrong with a key has a problem of its own. */
export const IdempotencyHeader: TObject<{ 'idempotency-key': TOptional<TString> }> = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 characters of printable ASCII. Sent again with the same request within 24 hours, it is given the same answer, with `Idempotent-Replayed: true`.',
    }),
  ),
});

/** 1 to 255 characters of printable ASCII, without blanks at its ends. */
export const IDEMPOTENCY_KEY: RegExp = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Options of the write that a request asks for; an answer of earlier says so in a header. Throws
 * idempotency-key-invalid and, where the endpoint needs a key, idempotency-key-required.
 */
export function writeOptions(request: FastifyRequest, reply: FastifyReply, required = false): WriteOptions {
  const key = request.headers['idempotency-key'];
  if (key === undefined && required) {
    throw new Problem(
      'idempotency-key-required',
      'This server takes the request only with an Idempotency-Key, so that it can be sent again safely.',
      { field: 'Idempotency-Key' },
    );
  }
  if (key === undefined) return {};
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new Problem(
      'idempotency-key-invalid',
      'Idempotency-Key has 1 to 255 characters of printable ASCII, such as a UUID.',
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

/** What makes two requests the same. `path` with or without its last slash. */
export function requestFingerprint(method: string, path: string, query: unknown, body: unknown): string {
  const said = canonicalText([method, path.replace(/\/$/, ''), query, body]);
  return hash('sha256', said, 'base64url');
}
