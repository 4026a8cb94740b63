// A disk in memory for tests of crashes. It knows what was synced, can refuse any operation, and shows what a
// power cut would leave. Faults are given by operation number and seed, so every run can be repeated.
//
//   operation 0 1 2 3 4 5 …      `operations` names them; a test runs its scenario once to count them, then once
//             └ fault at n       more for each n with a fault planned there, then opens `crash(seed)`.

import type { Disk, DiskFile } from './disk.ts';
import { SystemError, syncOrFail } from './failure.ts';
import { checkName, checkRename } from './file-name.ts';
import { seededRandom } from './random.ts';
import { SimulatedInode } from './simulated-inode.ts';
import { SimulatedNames } from './simulated-names.ts';

/**
 * What happens to one operation. 'eio': it fails (of a failed sync, chance decides what was written).
 * 'enospc': it is rejected, nothing written. 'short': a write stores half of its bytes and says so, without
 * an error; other operations get ENOSPC. 'crash': the power fails before it is complete; from then on nothing
 * works.
 */
export type FaultKind = 'eio' | 'enospc' | 'short' | 'crash';

/** Options of a simulated disk. */
interface SimulatedDiskOptions {
  /** Faults by operation number. */
  readonly faults?: Readonly<Record<number, FaultKind>>;
  /** Decides what failed syncs have written. @default 1 */
  readonly seed?: number;
  /** Bytes that all files together may have. @default Infinity */
  readonly capacity?: number;
}

/** The rejection of everything after the power cut. */
export class PowerCut extends Error {
  override readonly name = 'PowerCut';
}

/** A data directory in memory. */
export class SimulatedDisk implements Disk {
  /**
   * Every write, sync, truncate, create, rename, remove and folder sync so far, such as 'write
   * log/00000001.log 32+480'.
   */
  readonly operations: string[] = [];
  /** May be changed at any time. */
  capacity: number;
  /** May be added to at any time. */
  readonly faults: Record<number, FaultKind>;
  /** Every call so far that needs a file descriptor, such as 'open log/00000001.log'. */
  readonly openings: string[] = [];
  /** Numbers of `openings` for which the process has no descriptor left (EMFILE). May be added to at any time. */
  readonly refusedOpenings: Set<number> = new Set();
  readonly #seed: number;
  readonly #entries: SimulatedNames;
  #off = false;
  #locked = false;

  constructor(options: SimulatedDiskOptions = {}, files: ReadonlyMap<string, SimulatedInode> = new Map()) {
    this.capacity = options.capacity ?? Number.POSITIVE_INFINITY;
    this.faults = { ...options.faults };
    this.#seed = options.seed ?? 1;
    this.#entries = SimulatedNames.of(files);
  }

  /** The disk as it is when the power comes back after a cut now. This one is unusable from here on. */
  crash(seed: number, options: SimulatedDiskOptions = {}): SimulatedDisk {
    this.#off = true;
    const random = seededRandom(seed);
    const files = new Map<string, SimulatedInode>();
    for (const [name, inode] of this.#entries.afterCrash(random)) {
      const left = new SimulatedInode();
      left.current = inode.afterCrash(random);
      left.durable = left.current.copy();
      files.set(name, left);
    }
    return new SimulatedDisk(options, files);
  }

  /** Bytes of all files. */
  used(): number {
    let sum = 0;
    for (const inode of this.#entries.current.values()) sum += inode.current.size;
    return sum;
  }

  /** Flips one bit of a file, durably, as a failing disk may. */
  damage(name: string, position: number, bit = 0): void {
    const inode = this.#find('damage', name);
    for (const extent of [inode.current, inode.durable]) extent.view()[position]! ^= 1 << bit;
  }

  async open(name: string, options: { create?: boolean } = {}): Promise<DiskFile> {
    this.#takeDescriptor('open', name);
    let inode = this.#entries.current.get(checkName(name));
    if (inode === undefined && options.create === true) {
      this.#operation('create', name, '', () => this.#entries.create(name, new SimulatedInode()));
      inode = this.#entries.current.get(name);
    }
    return new SimulatedFile(this, name, inode ?? this.#find('open', name));
  }

  async read(name: string): Promise<Uint8Array> {
    this.#takeDescriptor('read', name);
    return this.#find('open', name).current.view().slice();
  }

  async rename(from: string, to: string): Promise<void> {
    checkRename(from, to);
    const inode = this.#find('rename', from);
    this.#operation('rename', from, to, () => this.#entries.rename(from, to, inode));
  }

  async remove(name: string): Promise<void> {
    this.#find('unlink', name);
    this.#operation('remove', name, '', () => this.#entries.remove(name));
  }

  async list(folder: string): Promise<string[]> {
    this.#takeDescriptor('list', folder);
    const prefix = folder === '' ? '' : `${folder}/`;
    return [...this.#entries.current.keys()]
      .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
      .map((name) => name.slice(prefix.length));
  }

  async syncFolder(folder: string): Promise<void> {
    this.#operation('syncFolder', folder, '', (cut) => {
      if (!cut) this.#entries.sync(folder);
    });
  }

  async lock(): Promise<() => Promise<void>> {
    this.#alive();
    if (this.#locked)
      throw new Error(
        `data directory (simulated) is in use by process ${process.pid}; stop it first, or choose another directory`,
      );
    this.#locked = true;
    return async () => {
      this.#locked = false;
    };
  }

  /** For files of this disk: writes, and returns the bytes written. */
  writeFile(name: string, inode: SimulatedInode, parts: readonly Uint8Array[], position: number): number {
    const bytes = joined(parts);
    let written = 0;
    this.#operation('write', name, `${position}+${bytes.length}`, (_cut, half) => {
      const growth = Math.max(0, position + bytes.length - inode.current.size);
      const over = Math.max(0, this.used() + growth - this.capacity);
      written = Math.max(0, half ? bytes.length >> 1 : bytes.length - over);
      if (written === 0 && bytes.length > 0)
        throw new SystemError('ENOSPC', 'no space left on device', 'write', name);
      inode.write(position, bytes.subarray(0, written));
    });
    return written;
  }

  /** For files of this disk. */
  syncFile(name: string, inode: SimulatedInode): void {
    this.#operation(
      'sync',
      name,
      '',
      (cut) => {
        if (!cut) inode.sync();
      },
      (random) => inode.syncInPart(random),
    );
  }

  /** For files of this disk. */
  truncateFile(name: string, inode: SimulatedInode, length: number): void {
    this.#operation('truncate', name, String(length), () => inode.truncate(length));
  }

  /** For files of this disk: throws after a power cut. */
  alive(): void {
    this.#alive();
  }

  #alive(): void {
    if (this.#off) throw new PowerCut('the power is off');
  }

  #takeDescriptor(call: string, name: string): void {
    this.#alive();
    const number = this.openings.length;
    this.openings.push(`${call} ${name}`);
    if (this.refusedOpenings.has(number))
      throw new SystemError('EMFILE', 'too many open files', 'open', name);
  }

  /**
   * Counts an operation and does it, or what the plan says. `run(cut, half)`; `fail` is what an I/O error
   * leaves.
   */
  #operation(
    kind: string,
    name: string,
    more: string,
    run: (cut: boolean, half: boolean) => void,
    fail?: (random: () => number) => void,
  ): void {
    this.#alive();
    const number = this.operations.length;
    this.operations.push(`${kind} ${name} ${more}`.trim());
    const fault = this.faults[number];
    if (fault === 'crash') {
      run(true, false);
      this.#off = true;
      throw new PowerCut(`the power fails during operation ${number}: ${this.operations[number]}`);
    }
    if (fault === 'eio') {
      fail?.(seededRandom(this.#seed + number));
      throw new SystemError('EIO', 'i/o error', kind, name);
    }
    if (fault === 'enospc' || (fault === 'short' && kind !== 'write'))
      throw new SystemError('ENOSPC', 'no space left on device', kind, name);
    run(false, fault === 'short');
  }

  #find(operation: string, name: string): SimulatedInode {
    this.#alive();
    const inode = this.#entries.current.get(checkName(name));
    if (inode === undefined) throw new SystemError('ENOENT', 'no such file or directory', operation, name);
    return inode;
  }
}

class SimulatedFile implements DiskFile {
  readonly name: string;
  readonly #disk: SimulatedDisk;
  readonly #inode: SimulatedInode;

  constructor(disk: SimulatedDisk, name: string, inode: SimulatedInode) {
    this.#disk = disk;
    this.name = name;
    this.#inode = inode;
  }

  size(): number {
    return this.#inode.current.size;
  }

  async write(parts: readonly Uint8Array[], position: number): Promise<number> {
    return this.#disk.writeFile(this.name, this.#inode, parts, position);
  }

  async writeThrough(parts: readonly Uint8Array[], position: number): Promise<number> {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const written = await this.write(parts, position);
    if (written === length) await syncOrFail(this);
    return written;
  }

  async sync(): Promise<void> {
    this.#disk.syncFile(this.name, this.#inode);
  }

  readSync(into: Uint8Array, position: number): number {
    this.#disk.alive();
    const found = this.#inode.current.view().subarray(position, position + into.length);
    into.set(found);
    return found.length;
  }

  async truncate(length: number): Promise<void> {
    this.#disk.truncateFile(this.name, this.#inode, length);
  }

  async close(): Promise<void> {}
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
