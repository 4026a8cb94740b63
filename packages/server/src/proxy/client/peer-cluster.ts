// The client of the cluster. It sends a request to one node after another:
// - A request that no node has received goes to the next node.
// - A request that changes nothing is repeated on another node.
// - A request that may have been performed is never sent twice.
// The nodes are those named in the address; there is no sniffing.

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { EngineError, type JsonObject } from '@octavo/engine';
import type { Limits } from '../../limits.ts';
import type { ClusterFigures } from '../../observe/metrics.ts';
import type { ClusterAddress } from './address.ts';
import { checkAnswer, invalidAnswer, parseAnswer } from './node-answer.ts';
import { ClusterNodes } from './nodes.ts';
import { NoAnswer, type NodeAnswer, type NodeRequest, send } from './send.ts';

export interface ClusterRequest {
  readonly method: string;
  /** Path and query string, starting with `/`. */
  readonly path: string;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  /** True if sending it twice has the same effect as once: it is repeated on another node after a failure. */
  readonly repeatable: boolean;
  readonly opaqueId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

type ClusterLimits = Pick<
  Limits,
  | 'clusterConnectMs'
  | 'clusterAnswerMs'
  | 'clusterAnswerBytes'
  | 'clusterAnswersBytes'
  | 'clusterSockets'
  | 'clusterWaiting'
>;

const BUSY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Failures that do not count against the node. */
const NOT_THE_NODE: ReadonlySet<NoAnswer['reason']> = new Set(['gone', 'long', 'much', 'full']);

const UNAUTHORIZED =
  'the cluster that holds the documents rejects the credentials of this server (--documents-user)';

/** A cluster of OpenSearch or Elasticsearch. */
export class PeerCluster {
  readonly #nodes: ClusterNodes;
  readonly #agent: HttpAgent;
  readonly #authorization: string | undefined;
  readonly #limits: ClusterLimits;
  readonly #buffered: { bytes: number; readonly most: number };
  #running = 0;
  #requests = 0;
  #retries = 0;
  #product: Promise<ClusterProduct> | undefined;

  constructor(address: ClusterAddress, limits: ClusterLimits) {
    this.#nodes = new ClusterNodes(address.nodes);
    this.#authorization = address.authorization;
    this.#limits = limits;
    this.#buffered = { bytes: 0, most: limits.clusterAnswersBytes };
    const options = { keepAlive: true, maxSockets: limits.clusterSockets, timeout: 0 };
    this.#agent =
      address.nodes[0]?.protocol === 'https:'
        ? new HttpsAgent({ ...options, ...(address.ca === undefined ? {} : { ca: address.ca }) })
        : new HttpAgent(options);
  }

  get figures(): ClusterFigures {
    const { size: nodes, available } = this.#nodes;
    const [running, requests, retries] = [this.#running, this.#requests, this.#retries];
    return { nodes, available, running, requests, retries, bufferedBytes: this.#buffered.bytes };
  }

  /**
   * Returns the answer of a node, whatever its status. Throws EngineError:
   * - `no_node_available_exception` if no node has received the request,
   * - `node_disconnected_exception` if a node has and did not answer,
   * - `rejected_execution_exception` if too many requests are waiting here,
   * - `node_answer_exception` if the answer is not one of a node.
   */
  async request(request: ClusterRequest): Promise<NodeAnswer> {
    if (this.#running >= this.#limits.clusterWaiting) {
      throw new NotPerformed(
        'rejected_execution_exception',
        `[${this.#running}] requests are waiting for the cluster that holds the documents; try again later`,
      );
    }
    this.#running++;
    this.#requests++;
    try {
      return await this.#tryNodes(request);
    } finally {
      this.#running--;
    }
  }

  /** The answer as JSON. Throws `ClusterErrorAnswer` for an error of the cluster. */
  async requestJson(request: ClusterRequest): Promise<JsonObject> {
    const answer = await this.request(request);
    if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
    return parseAnswer(answer.body) as JsonObject;
  }

  /** The product the nodes run, asked once. */
  async product(): Promise<ClusterProduct> {
    this.#product ??= this.requestJson({ method: 'GET', path: '/', repeatable: true }).then(productOf);
    try {
      return await this.#product;
    } catch (error) {
      this.#product = undefined;
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #tryNodes(request: ClusterRequest): Promise<NodeAnswer> {
    const { signal } = request;
    const nodeRequest = this.#nodeRequest(request);
    const limits = {
      connectMs: this.#limits.clusterConnectMs,
      answerMs: this.#limits.clusterAnswerMs,
      answerBytes: this.#limits.clusterAnswerBytes,
      buffered: this.#buffered,
    };
    let busy: NodeAnswer | undefined;
    let failure: NoAnswer | undefined;
    let strange: string | undefined;
    const order = this.#nodes.order();
    // A single node gets a second attempt: a kept-alive connection may be dead although the node, or a
    // balancer before it, is alive.
    const tried = request.repeatable && order.length === 1 ? [...order, ...order] : order;
    for (const [attempt, node] of tried.entries()) {
      if (attempt > 0) this.#retries++;
      try {
        const answer = await send(node.url, this.#agent, nodeRequest, limits, signal);
        const strangeness = checkAnswer(answer, request);
        if (strangeness !== undefined) {
          this.#nodes.markFailed(node);
          if (!request.repeatable) throw invalidAnswer(strangeness, false);
          strange = strangeness;
          continue;
        }
        this.#nodes.markAnswered(node);
        // The caller is authenticated here; it is this server whose credentials the cluster rejects.
        if (answer.status === 401) throw new NotPerformed('exception', UNAUTHORIZED, { status: 502 });
        if (!request.repeatable || !BUSY.has(answer.status)) return answer;
        busy = answer;
      } catch (thrown) {
        if (!(thrown instanceof NoAnswer)) throw thrown;
        if (NOT_THE_NODE.has(thrown.reason)) throw errorOf(thrown, request);
        this.#nodes.markFailed(node);
        failure = thrown;
        // A request that is too slow on one node is likely to be as slow on the next.
        if (thrown.mayHaveArrived && (!request.repeatable || thrown.reason === 'late'))
          throw errorOf(thrown, request);
      }
    }
    if (busy !== undefined) return busy;
    if (strange !== undefined) throw invalidAnswer(strange);
    throw errorOf(failure!, request);
  }

  #nodeRequest({ method, path, body, contentType, opaqueId }: ClusterRequest): NodeRequest {
    const hasBody = body !== undefined && body.length > 0;
    return {
      method,
      path,
      headers: {
        accept: 'application/json, text/plain',
        ...(hasBody ? { 'content-type': contentType ?? 'application/json' } : {}),
        ...(this.#authorization === undefined ? {} : { authorization: this.#authorization }),
        ...(opaqueId === undefined ? {} : { 'x-opaque-id': opaqueId }),
      },
      body: hasBody ? body : undefined,
    };
  }
}

/** The product of a cluster. */
interface ClusterProduct {
  readonly name: 'opensearch' | 'elasticsearch';
  readonly version: string;
  readonly clusterUuid: string;
}

function productOf(info: JsonObject): ClusterProduct {
  const version = (info['version'] ?? {}) as JsonObject;
  return {
    name: version['distribution'] === 'opensearch' ? 'opensearch' : 'elasticsearch',
    version: String(version['number'] ?? ''),
    clusterUuid: String(info['cluster_uuid'] ?? ''),
  };
}

/** An error answer of the cluster. It is passed on to the caller unchanged. */
export class ClusterErrorAnswer extends Error {
  override readonly name = 'ClusterAnswered';
  readonly answer: NodeAnswer;

  constructor(answer: NodeAnswer) {
    super(`the cluster answered ${answer.status}`);
    this.answer = answer;
  }
}

/** The request was not performed: it was never sent, or not authorized. */
export class NotPerformed extends EngineError {}

/** The cluster answered, but the answer exceeds a limit of this server. */
export class AnswerTooLarge extends EngineError {
  /** The first bytes of the answer. */
  readonly head: Buffer;

  constructor(
    type: EngineError['type'],
    message: string,
    { head = Buffer.alloc(0) }: NoAnswer,
    status?: number,
  ) {
    super(type, message, status === undefined ? {} : { status });
    this.head = head;
  }
}

function errorOf(error: NoAnswer, { repeatable }: ClusterRequest): EngineError {
  if (error.reason === 'long') {
    const said = `${error.message}${uncertainty(repeatable)}; ask for smaller pages`;
    return new AnswerTooLarge('content_too_long_exception', said, error, 400);
  }
  if (error.reason === 'full') {
    return new NotPerformed(
      'rejected_execution_exception',
      `all connections to the cluster that holds the documents are taken (${error.message}); try again later`,
    );
  }
  if (error.reason === 'much') {
    return new AnswerTooLarge(
      'rejected_execution_exception',
      `answers of the cluster that holds the documents take too much memory now (${error.message})${uncertainty(repeatable)}; ` +
        'try again later, or ask for smaller pages',
      error,
    );
  }
  if (!error.mayHaveArrived) {
    return new NotPerformed(
      'no_node_available_exception',
      `no node of the cluster that holds the documents can be reached (${error.message}); the request was not performed`,
    );
  }
  return new EngineError(
    error.reason === 'late' ? 'timeout_exception' : 'node_disconnected_exception',
    `a node of the cluster that holds the documents gave no answer (${error.message})${uncertainty(repeatable)}`,
  );
}

/** Warns that a write may or may not have been performed. */
function uncertainty(repeatable: boolean): string {
  return repeatable ? '' : '; the request may or may not have been performed: check before you repeat it';
}
