// What leaves the short way? A status, headers one behind the other, and a body; printed without a framework between.

import type { MovedTransfer, Transfer, TransferRequest } from '@octavo/records';
import type { PlainAnswer } from '../../lane/request.ts';
import { PROBLEM_TYPE, type ProblemAnswer } from '../answer.ts';
import { API_VERSION } from '../api.ts';
import { movedId, movedText, transferText } from '../transactions/print.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers that every answer of the application API has. */
export function headersFor(requestId: string): string[] {
  return [
    'octavo-api-version',
    API_VERSION,
    'x-request-id',
    requestId,
    'x-content-type-options',
    'nosniff',
    'cache-control',
    'no-store',
  ];
}

/** 201 with the transfer that was asked for, to who sees all paths below `mount`. */
export function createdAnswer(
  headers: string[],
  asked: TransferRequest,
  made: MovedTransfer | Transfer,
  mount: string,
): PlainAnswer {
  const id = 'moved' in made ? movedId(made) : made.id;
  headers.push('location', `${mount}/api/transactions/${id}`, 'content-type', JSON_TYPE);
  return { status: 201, headers, body: 'moved' in made ? movedText(asked, made, id) : transferText(made) };
}

/** The refusal. */
export function refusedAnswer(headers: string[], problem: ProblemAnswer): PlainAnswer {
  for (const [name, value] of Object.entries(problem.headers)) headers.push(name, value);
  headers.push('content-type', PROBLEM_TYPE);
  return { status: problem.status, headers, body: problem.body };
}
