// Notes every answer of a server in its log and its metrics, whichever way it left: by Fastify, by a lane, or
// from a reading thread.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { isApiPath } from './access/admission.ts';
import type { SenderResolver } from './access/callers/sender-resolver.ts';
import type { Metrics } from './observe/metrics.ts';
import { logLineOf, logRequest, logsRequests } from './observe/request-log.ts';
import type { ReadingThreadAnswer } from './threads/messages.ts';
import type { WireExchange } from './wire/router/wire-exchange.ts';

/** The notes of one server. */
export class AnswerNotes {
  /** True where each answer is logged. The level of a log does not change, and a logger takes long to tell it. */
  readonly logs: boolean;
  readonly #log: FastifyBaseLogger;
  readonly #metrics: Metrics;
  readonly #senders: SenderResolver;
  readonly #nameOf: (exchange: WireExchange) => string;

  /** `nameOf` gives the id of a request of a lane. */
  constructor(
    log: FastifyBaseLogger,
    metrics: Metrics,
    senders: SenderResolver,
    nameOf: (exchange: WireExchange) => string,
  ) {
    this.logs = logsRequests(log);
    this.#log = log;
    this.#metrics = metrics;
    this.#senders = senders;
    this.#nameOf = nameOf;
  }

  ofFastify(request: FastifyRequest, reply: FastifyReply): void {
    if (this.logs) logRequest(request.log, logLineOf(request, reply, this.#senders.resolve(request.raw)));
    const isApi = isApiPath(request.raw.url ?? '/');
    this.#metrics.count({
      surface: isApi ? 'api' : 'wire',
      route: (isApi ? request.routeOptions.url : request.routeName) || 'none',
      method: request.method,
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
    });
  }

  ofLane(exchange: WireExchange, status: number, milliseconds: number): void {
    const { method, url, routeName, principal } = exchange;
    if (this.logs)
      logRequest(this.#log, {
        ...{ id: this.#nameOf(exchange), method, url, status, milliseconds },
        caller: principal?.id,
        sender: this.#senders.resolve(exchange),
      });
    this.#metrics.count({ surface: 'wire', route: routeName || 'none', method, status, milliseconds });
  }

  ofThread({ line, ...answer }: ReadingThreadAnswer): void {
    if (line !== undefined) logRequest(this.#log, { ...line, ...answer });
    this.#metrics.count({ surface: 'wire', ...answer });
  }
}
