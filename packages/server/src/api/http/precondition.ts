// Conditional writes by `If-Match` (RFC 9110, 13.1.1) with the ETag of an earlier answer: the write happens
// only if that answer would be given again.

import { type OnlyIf, RecordsError } from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TOptional, TString } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import { matchesTag } from '../../http/entity-tags.ts';
import { etagOf } from './etag.ts';
import { IdempotencyHeader } from './idempotency.ts';
import { Type } from './json-schema.ts';

/** The header in the OpenAPI document, together with that of idempotency. */
export const ConditionalHeaders: TObject<{
  'idempotency-key': TOptional<TString>;
  'if-match': TOptional<TString>;
}> = Type.Object({
  ...IdempotencyHeader.properties,
  'if-match': Type.Optional(
    Type.String({
      description:
        'The ETag of an earlier `GET`, `POST` or `PATCH` of the same resource. If the resource has changed since, nothing is done, and the answer is 412 `precondition-failed` with the current ETag. Tags are compared weakly; `*` matches any.',
    }),
  ),
});

/**
 * How the subject of a request is read, and the forms in which it may have been answered; that of this
 * request first.
 */
export interface PreconditionSubject<T> {
  readonly read: () => Promise<T>;
  readonly views: (found: T) => Promise<readonly object[]> | readonly object[];
}

/**
 * Runs a write under the condition of the request. Throws Problem `precondition-failed`, and whatever the
 * write throws.
 */
export async function withPrecondition<T, Result>(
  request: FastifyRequest,
  { read, views }: PreconditionSubject<T>,
  write: (onlyIf: OnlyIf<T> | undefined) => Promise<Result>,
): Promise<Result> {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return await write(undefined);
  const tagsOf = async (found: T): Promise<string[]> =>
    (await views(found)).map((view) => tagOf(request, view));
  // A missing subject may have been deleted by the request that this one repeats; the write decides.
  const before = await read().catch(undefinedIfMissing);
  const isSeen = before !== undefined && (await tagsOf(before)).some((tag) => matchesTag(header, tag));
  try {
    return await write({ is: isSeen ? before : undefined });
  } catch (error) {
    if (!(error instanceof RecordsError) || error.code !== 'precondition-failed') throw error;
    const [etag = ''] = await tagsOf(await read());
    throw new Problem(
      'precondition-failed',
      `The resource has changed; its ETag is now ${etag}. Read it again.`,
      {
        field: 'If-Match',
        extra: { etag },
        headers: { etag },
      },
    );
  }
}

/** Sets the ETag that a GET of the same subject would have. */
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
