// Runs cases on both servers, compares, and shrinks what differs.

import type { Case } from './case.ts';
import { compareReplies, type Difference, signatureOf, worstOf } from './compare.ts';
import type { Dataset } from './dataset.ts';
import { type Found, Tally } from './report.ts';
import { type Names, Server } from './server.ts';
import { type Sample, sampleOf, shrink } from './shrink.ts';
import { countingAll, isTotal } from './tolerances.ts';

const CONCURRENT = 4;
const SHRINK_TRIES = 600;
/** The longest time for one difference: a new index takes the peer a quarter of a second. */
const SHRINK_MS = 8000;

export class Runner {
  readonly tally: Tally = new Tally();
  readonly #peer: Server;
  readonly #ours: Server;
  #generation = 0;
  /** The data in the index of samples, so that a smaller request needs no new index. */
  #loaded: { readonly dataset: Dataset; readonly names: Names } | undefined;

  constructor(peer: string, ours: string) {
    this.#peer = new Server(peer);
    this.#ours = new Server(ours);
  }

  /** Runs all cases on one dataset: those that read at once, then those that write, one after the other. */
  async runAll(cases: readonly Case[], dataset: Dataset): Promise<Found[]> {
    const names = await this.#load(dataset, true);
    const found: Found[] = [];
    const runOne = async (one: Case): Promise<void> => {
      const differences = await this.#compare(sampleOf(one, dataset), names);
      const worst = worstOf(differences);
      this.tally.add(one, worst);
      if (worst !== 'same')
        found.push({ case: one, class: worst, signature: signatureOf(differences), differences });
    };
    const reads = cases.filter(({ writes }) => !writes).values();
    await Promise.all(
      Array.from({ length: CONCURRENT }, async () => {
        for (const one of reads) await runOne(one);
      }),
    );
    for (const one of cases) if (one.writes) await runOne(one);
    await this.#drop(names);
    return found.sort((a, b) => a.case.number - b.case.number);
  }

  /** A smaller sample with the same difference; the case itself if it does not differ alone. */
  async shrunk(
    found: Found,
    dataset: Dataset,
    tries: number = SHRINK_TRIES,
  ): Promise<{ readonly found: Found; readonly sample: Sample }> {
    const end = performance.now() + SHRINK_MS;
    let last = found.differences;
    const writes = found.case.writes;
    const holds = async (sample: Sample): Promise<boolean> => {
      const differences = await this.#compareFresh(sample, writes);
      if (signatureOf(differences) !== found.signature) return false;
      last = differences;
      return true;
    };
    const sample = await shrink(sampleOf(found.case, dataset), {
      holds,
      tries,
      isLate: () => performance.now() > end,
    });
    await this.#forget();
    return { found: { ...found, differences: last }, sample };
  }

  close(): void {
    this.#peer.close();
    this.#ours.close();
  }

  async #compareFresh(sample: Sample, writes: boolean): Promise<Difference[]> {
    if (writes || this.#loaded?.dataset !== sample.dataset) {
      await this.#forget();
      try {
        this.#loaded = { dataset: sample.dataset, names: await this.#load(sample.dataset, writes) };
      } catch {
        // A mapping that has become senseless.
        return [];
      }
    }
    return this.#compare(sample, this.#loaded!.names);
  }

  async #forget(): Promise<void> {
    if (this.#loaded !== undefined) await this.#drop(this.#loaded.names);
    this.#loaded = undefined;
  }

  async #compare({ steps }: Sample, names: Names): Promise<Difference[]> {
    const [peer, ours] = await Promise.all([this.#peer.run(steps, names), this.#ours.run(steps, names)]);
    const differences = compareReplies(steps, peer, ours);
    const totals = differences.filter(({ class: name, path }) => name === 'wrong' && isTotal(path));
    if (totals.length === 0) return differences;
    const counted = steps.map(countingAll);
    const recounted = compareReplies(counted, await this.#peer.run(counted, names), ours);
    // Searches of which a total is wrong either way are.
    const isWrong = recounted.some(({ class: name, path }) => name === 'wrong' && isTotal(path));
    return isWrong ? differences : differences.filter((each) => !totals.includes(each));
  }

  async #load(dataset: Dataset, withScratch: boolean): Promise<Names> {
    const generation = ++this.#generation;
    const names = {
      index: `cases-${process.pid}-${generation}-data`,
      neighbor: `cases-${process.pid}-${generation}-near`,
      scratch: `cases-${process.pid}-${generation}-written`,
    };
    // The peer counts deleted and replaced documents in its scores until it has merged them away, and keeps them for a while.
    await this.#peer.loadRemaining(names.index, dataset);
    await this.#ours.load(names.index, dataset);
    if (dataset.neighbor !== undefined)
      for (const server of [this.#peer, this.#ours])
        await server.loadRemaining(names.neighbor, dataset.neighbor);
    if (withScratch)
      for (const server of [this.#peer, this.#ours])
        await server.load(names.scratch, { ...dataset, documents: [], deleted: [] });
    return names;
  }

  async #drop(names: Names): Promise<void> {
    for (const server of [this.#peer, this.#ours])
      for (const name of [names.index, names.neighbor, names.scratch]) await server.drop(name);
  }
}
