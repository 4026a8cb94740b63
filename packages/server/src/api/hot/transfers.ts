// May a transfer go the short way? POST /api/transaction by query string from a caller who is known at once, with nothing
// unusual about it: it goes from the head of the request to the records without a framework between. Everything else is
// refused here without a word, and answered by the long way, which says the same to what both can answer.

import { moveTransfer, type Records, type WriteOptions } from '@octavo/records';
import { allows, type Principal } from '../../access/principal.ts';
import type { Asker, Head, PlainAnswer } from '../../lane/request.ts';
import { accepts } from '../accept.ts';
import type { ProblemAnswer } from '../answer.ts';
import { IDEMPOTENCY_KEY, requestFingerprint } from '../idempotency.ts';
import { tooLate } from '../time-limit.ts';
import { createdAnswer, headersFor, refusedAnswer } from './answer.ts';
import { Deadlines } from './deadlines.ts';
import { readTransferQuery, type TransferQuery } from './query.ts';

/** A transfer that was answered. */
export interface Answered {
  readonly head: Head;
  readonly id: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly caller: string;
}

/** What the short way stands on: the same as the long one. */
export interface HotRules {
  readonly records: Records;
  /** The caller, where nothing has to be said to it before it is served. */
  readonly callerOf: (request: Head) => Principal | undefined;
  readonly nameOf: (request: Head) => string;
  /** What stands before all paths, as the caller sees them. */
  readonly mountOf: (request: Head) => string;
  readonly problemOf: (thrown: unknown, requestId: string, mount: string) => ProblemAnswer;
  readonly answered: (line: Answered) => void;
  readonly requireIdempotencyKeys: boolean;
  readonly mostTargetBytes: number;
  /** After so many ms a caller is told that there is no answer. */
  readonly mostMilliseconds: number;
}

/** Its pattern, for figures. */
export const TRANSFER_ROUTE = '/api/transaction';

const PRODUCED = ['application/json', 'application/problem+json'];
const QUESTION = 0x3f;

/** Answers transfers. */
export class HotTransfers {
  readonly #rules: HotRules;
  readonly #deadlines: Deadlines;

  constructor(rules: HotRules) {
    this.#rules = rules;
    this.#deadlines = new Deadlines(rules.mostMilliseconds);
  }

  /** True where the asker will be answered from here; false where nothing was done. */
  take(head: Head, asker: Pick<Asker, 'answer'>): boolean {
    const { target, headers } = head;
    const path = pathOf(target);
    if (path === undefined || target.length > this.#rules.mostTargetBytes) return false;
    if (headers.origin !== undefined || !accepts(headers.accept, PRODUCED)) return false;
    const key = headers['idempotency-key'];
    if (key === undefined && this.#rules.requireIdempotencyKeys) return false;
    if (key !== undefined && (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))) return false;
    const query = readTransferQuery(target.slice(path.length + 1));
    if (query === undefined) return false;
    const principal = this.#rules.callerOf(head);
    if (principal === undefined || !allows(principal, 'ledger', 'write')) return false;
    this.#run(head, path, query, principal, key, asker);
    return true;
  }

  #run(
    head: Head,
    path: string,
    query: TransferQuery,
    principal: Principal,
    key: string | undefined,
    asker: Pick<Asker, 'answer'>,
  ): void {
    const { records, nameOf, mountOf, problemOf, answered, mostMilliseconds } = this.#rules;
    const began = performance.now();
    const id = nameOf(head);
    const mount = mountOf(head);
    const headers = headersFor(id);
    const options = key === undefined ? undefined : once(path, query, principal, key, headers);
    const done = (answer: PlainAnswer): void => {
      if (!deadline.end()) return;
      asker.answer(answer);
      const milliseconds = performance.now() - began;
      answered({ head, id, status: answer.status, milliseconds, caller: principal.id });
    };
    const deadline = this.#deadlines.start(() =>
      done(refusedAnswer(headersFor(id), problemOf(tooLate('POST', mostMilliseconds), id, mount))),
    );
    records.write(moveTransfer, query.request, options).then(
      (made) => done(createdAnswer(headers, query.request, made, mount)),
      (thrown: unknown) => done(refusedAnswer(headers, problemOf(thrown, id, mount))),
    );
  }
}

/** The same as the long way has, so that a key may be used on both. */
function once(
  path: string,
  { parameters }: TransferQuery,
  principal: Principal,
  key: string,
  headers: string[],
): WriteOptions {
  const fingerprint = requestFingerprint('POST', path, parameters, {});
  return {
    idempotency: { principal: principal.id, key, fingerprint },
    onReplay: () => void headers.push('idempotent-replayed', 'true'),
  };
}

/** `/api/transaction` or `/api/transaction/`, where a query string follows. */
function pathOf(target: string): string | undefined {
  if (!target.startsWith(TRANSFER_ROUTE)) return undefined;
  if (target.charCodeAt(TRANSFER_ROUTE.length) === QUESTION) return TRANSFER_ROUTE;
  return target.startsWith('/?', TRANSFER_ROUTE.length) ? `${TRANSFER_ROUTE}/` : undefined;
}
