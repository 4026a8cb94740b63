// The names of a simulated disk: as they are now, and which are durable. Creations, renames and removals
// wait, folder by folder, for a sync of the folder. The contents of files are separate (simulated-inode.ts).

import { folderOf } from './file-name.ts';
import type { SimulatedInode } from './simulated-inode.ts';

type Change =
  | { readonly kind: 'create'; readonly name: string; readonly inode: SimulatedInode }
  | { readonly kind: 'rename'; readonly from: string; readonly name: string; readonly inode: SimulatedInode }
  | { readonly kind: 'remove'; readonly name: string };

/** Names to files: as they are now, and as they are durable. */
export class SimulatedNames {
  readonly current: Map<string, SimulatedInode> = new Map();
  readonly #durable: Map<string, SimulatedInode> = new Map();
  #changes: Change[] = [];

  /** Names of which all are durable. */
  static of(files: ReadonlyMap<string, SimulatedInode>): SimulatedNames {
    const entries = new SimulatedNames();
    for (const [name, inode] of files) {
      entries.current.set(name, inode);
      entries.#durable.set(name, inode);
    }
    return entries;
  }

  create(name: string, inode: SimulatedInode): void {
    this.#change({ kind: 'create', name, inode });
  }

  rename(from: string, name: string, inode: SimulatedInode): void {
    this.#change({ kind: 'rename', from, name, inode });
  }

  remove(name: string): void {
    this.#change({ kind: 'remove', name });
  }

  sync(folder: string): void {
    const covered = (change: Change): boolean =>
      folderOf(change.name) === folder || folder.startsWith(`${folderOf(change.name)}/`);
    for (const change of this.#changes) if (covered(change)) apply(this.#durable, change);
    this.#changes = this.#changes.filter((change) => !covered(change));
  }

  /** The names after a power cut: half of the time a prefix of the changes happened, else any subset. */
  afterCrash(random: () => number): Map<string, SimulatedInode> {
    const left = new Map(this.#durable);
    const inOrder = random() < 0.5;
    const until = Math.floor(random() * (this.#changes.length + 1));
    this.#changes.forEach((change, at) => {
      if (inOrder ? at < until : random() < 0.5) apply(left, change);
    });
    return left;
  }

  #change(change: Change): void {
    apply(this.current, change);
    this.#changes.push(change);
  }
}

function apply(names: Map<string, SimulatedInode>, change: Change): void {
  if (change.kind === 'remove') names.delete(change.name);
  else names.set(change.name, change.inode);
  if (change.kind === 'rename') names.delete(change.from);
}
