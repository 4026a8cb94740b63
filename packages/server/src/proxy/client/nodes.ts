// The order in which nodes are tried: round robin over those that answer. A failing node is suspended for a
// time that doubles with each failure. If all nodes are suspended, they are tried in the order of their
// suspensions' ends.

interface ClusterNode {
  readonly url: URL;
  /** Milliseconds since 1970. Until then the node is tried only after all others. */
  readonly suspendedUntil: number;
}

interface NodeState {
  readonly url: URL;
  suspendedUntil: number;
  failures: number;
}

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;

/** The nodes of a cluster. No I/O. */
export class ClusterNodes {
  readonly #nodes: NodeState[];
  readonly #now: () => number;
  #turn = 0;

  constructor(urls: readonly URL[], now: () => number = Date.now) {
    this.#nodes = urls.map((url) => ({ url, suspendedUntil: 0, failures: 0 }));
    this.#now = now;
  }

  /** All nodes in the order in which one request tries them. O(nodes). */
  order(): readonly ClusterNode[] {
    const now = this.#now();
    const start = this.#turn++ % this.#nodes.length;
    const turned = [...this.#nodes.slice(start), ...this.#nodes.slice(0, start)];
    const available = turned.filter((node) => node.suspendedUntil <= now);
    const resting = turned.filter((node) => node.suspendedUntil > now);
    return [...available, ...resting.sort((a, b) => a.suspendedUntil - b.suspendedUntil)];
  }

  /** The number of nodes that are not suspended. */
  get available(): number {
    const now = this.#now();
    return this.#nodes.filter((node) => node.suspendedUntil <= now).length;
  }

  get size(): number {
    return this.#nodes.length;
  }

  markFailed(node: ClusterNode): void {
    const state = node as NodeState;
    const suspension = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(state.failures, 10));
    state.failures++;
    state.suspendedUntil = this.#now() + suspension;
  }

  markAnswered(node: ClusterNode): void {
    const state = node as NodeState;
    state.failures = 0;
    state.suspendedUntil = 0;
  }
}
