// What becomes of a transfer that went the short way? The records tell it what was done, or time tells it that nothing was:
// whichever comes first answers its request, once.

import type { Caller, MovedTransfer, Transfer, TransferRequest, WriteOptions } from '@octavo/records';
import type { Principal } from '../../access/principal.ts';
import type { Asker, Head, PlainAnswer } from '../../lane/request.ts';
import type { ProblemAnswer } from '../answer.ts';
import { tooLate } from '../time-limit.ts';
import { createdAnswer, refusedAnswer } from './answer.ts';
import type { Deadline, Deadlines, Late } from './deadlines.ts';

/** A transfer that was answered. */
export interface Answered {
  readonly head: Head;
  readonly id: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly caller: string;
}

/** What an answer stands on. */
export interface AnswerRules {
  readonly nameOf: (request: Head) => string;
  /** What stands before all paths, as the caller sees them. */
  readonly mountOf: (request: Head) => string;
  readonly problemOf: (thrown: unknown, requestId: string, mount: string) => ProblemAnswer;
  readonly answered: (line: Answered) => void;
  /** After so many ms a caller is told that there is no answer. */
  readonly mostMilliseconds: number;
}

/** Who wants what, and who is answered. */
export interface Wanted {
  readonly head: Head;
  readonly request: TransferRequest;
  readonly principal: Principal;
  readonly asker: Pick<Asker, 'answer'>;
}

/** One transfer under way. */
export class RunningTransfer implements Caller<MovedTransfer | Transfer>, Late {
  readonly #rules: AnswerRules;
  readonly #wanted: Wanted;
  readonly #began: number = performance.now();
  readonly #id: string;
  readonly #mount: string;
  readonly #deadline: Deadline;
  #isReplayed = false;

  constructor(rules: AnswerRules, wanted: Wanted, deadlines: Deadlines) {
    this.#rules = rules;
    this.#wanted = wanted;
    this.#id = rules.nameOf(wanted.head);
    this.#mount = rules.mountOf(wanted.head);
    this.#deadline = deadlines.start(this);
  }

  /** How it is done once: the same key with the same fingerprint has the same answer. */
  once(key: string, fingerprint: string): WriteOptions {
    return {
      idempotency: { principal: this.#wanted.principal.id, key, fingerprint },
      onReplay: () => {
        this.#isReplayed = true;
      },
    };
  }

  done(made: MovedTransfer | Transfer): void {
    this.#answer(createdAnswer(this.#id, this.#wanted.request, made, this.#mount, this.#isReplayed));
  }

  failed(thrown: unknown): void {
    const problem = this.#rules.problemOf(thrown, this.#id, this.#mount);
    this.#answer(refusedAnswer(this.#id, problem, this.#isReplayed));
  }

  late(): void {
    this.failed(tooLate('POST', this.#rules.mostMilliseconds));
  }

  #answer(answer: PlainAnswer): void {
    if (!this.#deadline.end()) return;
    const { head, asker, principal } = this.#wanted;
    asker.answer(answer);
    const milliseconds = performance.now() - this.#began;
    this.#rules.answered({ head, id: this.#id, status: answer.status, milliseconds, caller: principal.id });
  }
}
