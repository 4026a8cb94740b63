// Has what is to be changed been changed by somebody else meanwhile? `If-Match` (RFC 9110, 13.1.1) with the ETag of an
// earlier answer: the write happens only where that answer would be given again.

import { type OnlyIf, RecordsError } from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TOptional, TString } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import { etagOf, matchesTag } from './etag.ts';
import { IdempotencyHeader } from './idempotency.ts';
import { Type } from './json-schema.ts';

/** The header as the OpenAPI document shows it, beside the one of idempotency. */
export const ConditionalHeaders: TObject<{
  'idempotency-key': TOptional<TString>;
  'if-match': TOptional<TString>;
}> = Type.Object({
  ...IdempotencyHeader.properties,
  'if-match': Type.Optional(
    Type.String({
      description:
        'The ETag of a `GET`, `POST` or `PATCH` of the same: where it has changed since then, nothing is done and the answer is 412 `precondition-failed` with the ETag of now. Tags are compared weakly; `*` is any.',
    }),
  ),
});

/** What a request is about: how it is read, and in which forms it can have been answered, that of this request first. */
export interface PreconditionSubject<T> {
  readonly read: () => Promise<T>;
  readonly views: (found: T) => Promise<readonly object[]> | readonly object[];
}

/** Runs a write under the condition of the request. Throws Problem `precondition-failed`, and what the write throws. */
export async function withPrecondition<T, Result>(
  request: FastifyRequest,
  { read, views }: PreconditionSubject<T>,
  write: (onlyIf: OnlyIf<T> | undefined) => Promise<Result>,
): Promise<Result> {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return await write(undefined);
  const tagsOf = async (found: T): Promise<string[]> =>
    (await views(found)).map((view) => tagOf(request, view));
  // What is not there may have gone with the request that this one repeats: the write knows.
  const before = await read().catch(undefinedIfMissing);
  const isSeen = before !== undefined && (await tagsOf(before)).some((tag) => matchesTag(header, tag));
  try {
    return await write({ is: isSeen ? before : undefined });
  } catch (error) {
    if (!(error instanceof RecordsError) || error.code !== 'precondition-failed') throw error;
    const [etag = ''] = await tagsOf(await read());
    throw new Problem('precondition-failed', `It has changed: its ETag is ${etag} now. Read it again.`, {
      field: 'If-Match',
      extra: { etag },
      headers: { etag },
    });
  }
}

/** Sets the ETag that a GET of the same would have. */
export function setEtag<View extends object>(request: FastifyRequest, reply: FastifyReply, view: View): View {
  reply.header('etag', tagOf(request, view));
  return view;
}

function tagOf(request: FastifyRequest, view: object): string {
  return etagOf(JSON.stringify(view), request.principal.id);
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof RecordsError && error.status === 404) return undefined;
  throw error;
}
