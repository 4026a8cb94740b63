// Which node of the cluster is asked next? In turn those that answer; one that does not is set aside for a while that
// doubles with every failure. When all are set aside they are asked all the same, the one that is due first before others.

/** One node. */
export interface ClusterNode {
  readonly url: URL;
  /** Milliseconds since 1970 until which it is asked only when nobody else is left. */
  readonly restsUntil: number;
}

interface Kept {
  readonly url: URL;
  restsUntil: number;
  failures: number;
}

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;

/** The nodes of a cluster. No I/O. */
export class ClusterNodes {
  readonly #nodes: Kept[];
  readonly #now: () => number;
  #turn = 0;

  constructor(urls: readonly URL[], now: () => number = Date.now) {
    this.#nodes = urls.map((url) => ({ url, restsUntil: 0, failures: 0 }));
    this.#now = now;
  }

  /** All nodes in the order in which one request tries them. O(nodes). */
  order(): readonly ClusterNode[] {
    const now = this.#now();
    const start = this.#turn++ % this.#nodes.length;
    const turned = [...this.#nodes.slice(start), ...this.#nodes.slice(0, start)];
    const awake = turned.filter((node) => node.restsUntil <= now);
    const resting = turned.filter((node) => node.restsUntil > now);
    return [...awake, ...resting.sort((a, b) => a.restsUntil - b.restsUntil)];
  }

  /** How many are not set aside. */
  get awake(): number {
    const now = this.#now();
    return this.#nodes.filter((node) => node.restsUntil <= now).length;
  }

  get size(): number {
    return this.#nodes.length;
  }

  failed(node: ClusterNode): void {
    const kept = node as Kept;
    const rest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(kept.failures, 10));
    kept.failures++;
    kept.restsUntil = this.#now() + rest;
  }

  answered(node: ClusterNode): void {
    const kept = node as Kept;
    kept.failures = 0;
    kept.restsUntil = 0;
  }
}
