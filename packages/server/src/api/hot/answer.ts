// What leaves the short way? A status, headers one behind the other, and a body; printed without a framework between.

import type { MovedTransfer, Transfer, TransferRequest } from '@octavo/records';
import { FixedHeaders } from '../../lane/printed.ts';
import type { PlainAnswer } from '../../lane/request.ts';
import { PROBLEM_TYPE, type ProblemAnswer } from '../answer.ts';
import { API_VERSION } from '../api.ts';
import { movedId, movedText, transferText } from '../transactions/print.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers that every answer of the application API has. */
const EVERY = [
  'octavo-api-version',
  API_VERSION,
  'x-content-type-options',
  'nosniff',
  'cache-control',
  'no-store',
];
const OF_CREATED: FixedHeaders = new FixedHeaders([...EVERY, 'content-type', JSON_TYPE]);
const OF_REFUSED: FixedHeaders = new FixedHeaders([...EVERY, 'content-type', PROBLEM_TYPE]);

/** 201 with the transfer that was asked for, to who sees all paths below `mount`. */
export function createdAnswer(
  requestId: string,
  asked: TransferRequest,
  made: MovedTransfer | Transfer,
  mount: string,
  isReplayed: boolean,
): PlainAnswer {
  const id = 'moved' in made ? movedId(made) : made.id;
  const headers = ['x-request-id', requestId, 'location', `${mount}/api/transactions/${id}`];
  if (isReplayed) headers.push('idempotent-replayed', 'true');
  const body = 'moved' in made ? movedText(asked, made, id) : transferText(made);
  return { status: 201, fixed: OF_CREATED, headers, body };
}

/** The refusal. */
export function refusedAnswer(requestId: string, problem: ProblemAnswer, isReplayed: boolean): PlainAnswer {
  const headers = ['x-request-id', requestId];
  if (isReplayed) headers.push('idempotent-replayed', 'true');
  for (const [name, value] of Object.entries(problem.headers)) headers.push(name, value);
  return { status: problem.status, fixed: OF_REFUSED, headers, body: problem.body };
}
