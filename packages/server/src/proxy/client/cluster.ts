// How is the cluster asked? One request over its nodes: what nobody has seen goes to the next node, what changes nothing
// is asked again elsewhere, and what may have been done once is never sent twice. Sniffing is off: the nodes are those
// that were named.

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { EngineError, type JsonObject } from '@octavo/engine';
import type { Limits } from '../../limits.ts';
import type { ClusterAddress } from './address.ts';
import { readAnswer, strangeAnswer, strangenessOf } from './node-answer.ts';
import { ClusterNodes } from './nodes.ts';
import { NoAnswer, type NodeAnswer, type NodeRequest, send } from './send.ts';

/** A request to the cluster. */
export interface ClusterRequest {
  readonly method: string;
  /** Path and query string, from `/` on. */
  readonly path: string;
  /** Bytes as they are, or a value that is sent as JSON. */
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  /** True where asking twice is the same as asking once: it goes to another node when one fails. */
  readonly repeatable: boolean;
  readonly opaqueId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Limits that hold for requests to the cluster. */
export type ClusterLimits = Pick<
  Limits,
  | 'clusterConnectMs'
  | 'clusterAnswerMs'
  | 'clusterAnswerBytes'
  | 'clusterAnswersBytes'
  | 'clusterSockets'
  | 'clusterWaiting'
>;

/** Figures since the start. */
export interface ClusterFigures {
  readonly nodes: number;
  readonly awake: number;
  readonly running: number;
  readonly requests: number;
  /** Requests that were sent to another node. */
  readonly retries: number;
  /** Bytes of answers that are being taken. */
  readonly taken: number;
}

const BUSY: ReadonlySet<number> = new Set([502, 503, 504]);

/** What says nothing of the node. */
const OURS: ReadonlySet<NoAnswer['why']> = new Set(['gone', 'long', 'much', 'full']);

const NOT_LET_IN =
  'the cluster that holds the documents does not take the credentials that this server has for it (--documents-user)';

/** A cluster of OpenSearch or Elasticsearch. */
export class Cluster {
  readonly #nodes: ClusterNodes;
  readonly #agent: HttpAgent;
  readonly #authorization: string | undefined;
  readonly #limits: ClusterLimits;
  readonly #taken: { bytes: number; readonly most: number };
  #running = 0;
  #requests = 0;
  #retries = 0;
  #product: Promise<ClusterProduct> | undefined;

  constructor(address: ClusterAddress, limits: ClusterLimits) {
    this.#nodes = new ClusterNodes(address.nodes);
    this.#authorization = address.authorization;
    this.#limits = limits;
    this.#taken = { bytes: 0, most: limits.clusterAnswersBytes };
    const options = { keepAlive: true, maxSockets: limits.clusterSockets, timeout: 0 };
    this.#agent =
      address.nodes[0]?.protocol === 'https:'
        ? new HttpsAgent({ ...options, ...(address.ca === undefined ? {} : { ca: address.ca }) })
        : new HttpAgent(options);
  }

  get figures(): ClusterFigures {
    const { size: nodes, awake } = this.#nodes;
    const [running, requests, retries] = [this.#running, this.#requests, this.#retries];
    return { nodes, awake, running, requests, retries, taken: this.#taken.bytes };
  }

  /**
   * The answer of a node, whatever its status. Throws EngineError: `no_node_available_exception` where no node has seen the
   * request, `node_disconnected_exception` where one has and did not answer, `rejected_execution_exception` where too many
   * requests are waiting here, `node_answer_exception` where what came is no answer of a node.
   */
  async ask(request: ClusterRequest): Promise<NodeAnswer> {
    if (this.#running >= this.#limits.clusterWaiting) {
      throw new NothingDone(
        'rejected_execution_exception',
        `[${this.#running}] requests are waiting for the cluster that holds the documents; try again later`,
      );
    }
    this.#running++;
    this.#requests++;
    try {
      return await this.#overNodes(request);
    } finally {
      this.#running--;
    }
  }

  /** The answer as JSON; an error of the cluster is thrown as `ClusterAnswered`. */
  async json(request: ClusterRequest): Promise<JsonObject> {
    const answer = await this.ask(request);
    if (answer.status >= 400) throw new ClusterAnswered(answer);
    return readAnswer(answer.body) as JsonObject;
  }

  /** What the nodes run; asked once. */
  async product(): Promise<ClusterProduct> {
    this.#product ??= this.json({ method: 'GET', path: '/', repeatable: true }).then(productOf);
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

  async #overNodes(request: ClusterRequest): Promise<NodeAnswer> {
    const { signal } = request;
    const asked = this.#nodeRequest(request);
    const limits = {
      connectMs: this.#limits.clusterConnectMs,
      answerMs: this.#limits.clusterAnswerMs,
      answerBytes: this.#limits.clusterAnswerBytes,
      taken: this.#taken,
    };
    let busy: NodeAnswer | undefined;
    let failure: NoAnswer | undefined;
    let strange: string | undefined;
    const order = this.#nodes.order();
    // A connection that was kept may be dead although its one node, or what balances behind it, lives.
    const tried = request.repeatable && order.length === 1 ? [...order, ...order] : order;
    for (const [attempt, node] of tried.entries()) {
      if (attempt > 0) this.#retries++;
      try {
        const answer = await send(node.url, this.#agent, asked, limits, signal);
        const strangeness = strangenessOf(answer, request);
        if (strangeness !== undefined) {
          this.#nodes.failed(node);
          if (!request.repeatable) throw strangeAnswer(strangeness, false);
          strange = strangeness;
          continue;
        }
        this.#nodes.answered(node);
        // The caller was let in here: it is this server that the cluster does not know.
        if (answer.status === 401) throw new NothingDone('exception', NOT_LET_IN, { status: 502 });
        if (!request.repeatable || !BUSY.has(answer.status)) return answer;
        busy = answer;
      } catch (thrown) {
        if (!(thrown instanceof NoAnswer)) throw thrown;
        if (OURS.has(thrown.why)) throw failed(thrown, request);
        this.#nodes.failed(node);
        failure = thrown;
        // A node that thinks for too long would make the next one think as long.
        if (thrown.seen && (!request.repeatable || thrown.why === 'late')) throw failed(thrown, request);
      }
    }
    if (busy !== undefined) return busy;
    if (strange !== undefined) throw strangeAnswer(strange);
    throw failed(failure!, request);
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

/** What the nodes run. */
export interface ClusterProduct {
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

/** The cluster has refused what this server asked on behalf of a caller: its answer goes out as it is. */
export class ClusterAnswered extends Error {
  override readonly name = 'ClusterAnswered';
  readonly answer: NodeAnswer;

  constructor(answer: NodeAnswer) {
    super(`the cluster answered ${answer.status}`);
    this.answer = answer;
  }
}

/** The cluster has done nothing of what it was asked: it was not asked, or let nobody in. */
export class NothingDone extends EngineError {}

/** The cluster has answered, and it is more than is taken here. */
export class NotTaken extends EngineError {
  /** How the answer begins. */
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

function failed(error: NoAnswer, { repeatable }: ClusterRequest): EngineError {
  if (error.why === 'long') {
    const said = `${error.message}${doneOr(repeatable)}; ask for smaller pages`;
    return new NotTaken('content_too_long_exception', said, error, 400);
  }
  if (error.why === 'full') {
    return new NothingDone(
      'rejected_execution_exception',
      `all connections to the cluster that holds the documents are taken (${error.message}); try again later`,
    );
  }
  if (error.why === 'much') {
    return new NotTaken(
      'rejected_execution_exception',
      `answers of the cluster that holds the documents take too much memory now (${error.message})${doneOr(repeatable)}; ` +
        'try again later, or ask for smaller pages',
      error,
    );
  }
  if (!error.seen) {
    return new NothingDone(
      'no_node_available_exception',
      `no node of the cluster that holds the documents can be reached (${error.message}); this was not done`,
    );
  }
  return new EngineError(
    error.why === 'late' ? 'timeout_exception' : 'node_disconnected_exception',
    `a node of the cluster that holds the documents gave no answer (${error.message})${doneOr(repeatable)}`,
  );
}

/** Of what may have happened nobody knows. */
function doneOr(repeatable: boolean): string {
  return repeatable ? '' : '; what was asked for may have been done or not: look before you ask again';
}
