// May a transfer go the short way? POST /api/transaction by query string from a caller who is known at once, with nothing
// unusual about it: it goes from the head of the request to the records without a framework between. Everything else is
// refused here without a word, and answered by the long way, which says the same to what both can answer.

import { moveTransfer, type Records } from '@octavo/records';
import { allows, type Principal } from '../../access/principal.ts';
import type { Asker, Head } from '../../lane/request.ts';
import { accepts } from '../accept.ts';
import { IDEMPOTENCY_KEY, requestFingerprint } from '../idempotency.ts';
import { Deadlines } from './deadlines.ts';
import { parametersOf, readTransferQuery } from './query.ts';
import { type AnswerRules, RunningTransfer } from './running.ts';

/** What the short way stands on: the same as the long one. */
export interface HotRules extends AnswerRules {
  readonly records: Records;
  /** The caller, where nothing has to be said to it before it is served. */
  readonly callerOf: (request: Head) => Principal | undefined;
  readonly requireIdempotencyKeys: boolean;
  readonly mostTargetBytes: number;
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
    const request = readTransferQuery(target, path.length + 1);
    if (request === undefined) return false;
    const principal = this.#rules.callerOf(head);
    if (principal === undefined || !allows(principal, 'ledger', 'write')) return false;
    const running = new RunningTransfer(this.#rules, { head, request, principal, asker }, this.#deadlines);
    // The same as the long way has, so that a key may be used on both.
    const options =
      key === undefined
        ? undefined
        : running.once(key, requestFingerprint('POST', path, parametersOf(request), {}));
    this.#rules.records.submit(moveTransfer, request, options, running);
    return true;
  }
}

/** `/api/transaction` or `/api/transaction/`, where a query string follows. */
function pathOf(target: string): string | undefined {
  if (!target.startsWith(TRANSFER_ROUTE)) return undefined;
  if (target.charCodeAt(TRANSFER_ROUTE.length) === QUESTION) return TRANSFER_ROUTE;
  return target.startsWith('/?', TRANSFER_ROUTE.length) ? `${TRANSFER_ROUTE}/` : undefined;
}
