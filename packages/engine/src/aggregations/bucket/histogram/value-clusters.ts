// Groups the values of one index into clusters of near ones while they come, as a shard of the peer does: the
// first values are buffered, sorted and cut into equal parts; each later one joins the cluster with the nearest
// mean, or founds one of its own where it is far from all.

import { grown } from '../../collect/bucket-table.ts';

/** Values near each other. */
export interface Cluster {
  /** The order in which clusters of one index were founded. */
  readonly number: number;
  min: number;
  max: number;
  mean: number;
  count: number;
}

/** The clusters of one index. */
export class ValueClusters {
  readonly #most: number;
  readonly #bufferSize: number;
  #buffer: Float64Array = new Float64Array(64);
  #buffered = 0;
  /** The number of the cluster of each buffered value; undefined while they are buffered. */
  #clusterOf: Uint32Array | undefined;
  /** By mean. */
  readonly #clusters: Cluster[] = [];
  #distance = 0;

  constructor(most: number, bufferSize: number) {
    this.#most = most;
    this.#bufferSize = bufferSize;
  }

  /** Adds a value. Returns a ticket, for which `clusterOf` gives its cluster once all values are added. */
  add(value: number): number {
    if (this.#clusterOf !== undefined) return this.#bufferSize + this.#place(value).number;
    if (this.#buffered === this.#buffer.length) this.#buffer = grown(this.#buffer, this.#buffered * 2);
    this.#buffer[this.#buffered++] = value;
    if (this.#buffered === this.#bufferSize) this.#divide();
    return this.#buffered - 1;
  }

  /** The clusters, by mean. */
  finish(): readonly Cluster[] {
    if (this.#clusterOf === undefined && this.#buffered > 0) this.#divide();
    return this.#clusters.sort((a, b) => a.mean - b.mean);
  }

  /** The number of the cluster of a value. REQUIRES: finished. */
  clusterOf(ticket: number): number {
    return ticket < this.#bufferSize ? this.#clusterOf![ticket]! : ticket - this.#bufferSize;
  }

  /** Cuts the buffered values into parts of equal size. */
  #divide(): void {
    const values = this.#buffer;
    const order = Uint32Array.from({ length: this.#buffered }, (_, i) => i);
    order.sort((a, b) => values[a]! - values[b]! || a - b);
    const parts = initialClusters(this.#most);
    const each = Math.ceil(this.#buffered / parts);
    const clusterOf = new Uint32Array(this.#buffered);
    for (const [i, place] of order.entries()) {
      const last = this.#clusters.at(-1);
      if (i % each === 0) this.#clusters.push(this.#found(values[place]!));
      else join(last!, values[place]!);
      clusterOf[place] = this.#clusters.length - 1;
    }
    this.#clusterOf = clusterOf;
    this.#buffer = new Float64Array(0);
    if (this.#buffered > 1) this.#measure();
  }

  #found(value: number): Cluster {
    return { number: this.#clusters.length, min: value, max: value, mean: value, count: 1 };
  }

  #place(value: number): Cluster {
    const clusters = this.#clusters;
    const nearest = this.#nearest(value);
    const cluster = clusters[nearest]!;
    if (Math.abs(cluster.mean - value) > 2 * this.#distance && clusters.length < this.#most) {
      const own = this.#found(value);
      clusters.splice(value > cluster.mean ? nearest + 1 : nearest, 0, own);
      this.#measure();
      return own;
    }
    join(cluster, value);
    if (nearest === 0 || nearest === clusters.length - 1) this.#measure();
    return cluster;
  }

  /** The mean distance between clusters. */
  #measure(): void {
    const clusters = this.#clusters;
    this.#distance = (clusters.at(-1)!.mean - clusters[0]!.mean) / (clusters.length - 1);
  }

  /** The place of the cluster with the nearest mean; of two equally near ones, the peer's choice. */
  #nearest(value: number): number {
    const clusters = this.#clusters;
    const distance = (place: number): number => Math.abs(clusters[place]!.mean - value);
    const nearer = (a: number, b: number): number => (distance(a) < distance(b) ? a : b);
    let from = 0;
    let to = clusters.length - 1;
    while (from < to) {
      const mid = (from + to) >>> 1;
      const { mean } = clusters[mid]!;
      if (mean === value) return mid;
      if (mean < value) {
        if (clusters[mid + 1]!.mean > value) return nearer(mid, mid + 1);
        from = mid + 1;
      } else {
        if (mid > from && clusters[mid - 1]!.mean < value) return nearer(mid, mid - 1);
        if (mid === 0) return mid;
        to = mid - 1;
      }
    }
    return from;
  }
}

function join(cluster: Cluster, value: number): void {
  cluster.max = Math.max(cluster.max, value);
  cluster.min = Math.min(cluster.min, value);
  cluster.mean = (cluster.mean * cluster.count + value) / (cluster.count + 1);
  cluster.count++;
}

/** Clusters of the buffered values: some room is left for those that are far from them. */
export function initialClusters(most: number): number {
  return Math.floor((most * 3) / 4);
}
