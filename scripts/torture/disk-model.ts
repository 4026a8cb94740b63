// What a disk may hold after a power cut at any point of a recorded life.
//
//   recorded calls ──► DiskModel ──► durable: what syncs have made safe
//                                └─► pending: what the system may or may not have written yet
//
// The model allows what POSIX allows, which is more than any one file system does:
// - A write is safe once a sync that began after it has returned, or at once on a descriptor with O_DSYNC.
// - Of the writes that are not safe any subset is on the disk, in sectors of 512 bytes.
// - The name of a file is safe once its folder was synced. A rename is there as a whole or not at all.
// - The names of one folder become safe in the order in which they changed, as in a journal.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Dice } from '../../packages/server/test/mutations.ts';
import type { TraceRecord } from './recorder.ts';

const SECTOR = 512;
const O_TRUNC = 0o1000;

/** A change of the bytes of a file; `bytes` undefined is a new length. */
interface Change {
  readonly offset: number;
  readonly bytes: Buffer | undefined;
}

class Inode {
  /** Safe bytes. */
  content: Buffer = Buffer.from(new ArrayBuffer(0));
  pending: Change[] = [];
  /** How many pending changes each sync under way covers. */
  readonly syncs: number[] = [];

  settle(changes: number): void {
    for (const change of this.pending.splice(0, changes)) this.content = applied(this.content, change);
  }
}

function applied(content: Buffer, { offset, bytes }: Change): Buffer {
  if (bytes === undefined) {
    if (offset <= content.length) return content.subarray(0, offset);
    return grown(content, offset);
  }
  const end = offset + bytes.length;
  const whole = end > content.length ? grown(content, end) : content;
  bytes.copy(whole, offset);
  return whole;
}

/** The content with zeros up to `length`, in memory that has room for more: many appends are not copied as often. */
function grown(content: Buffer, length: number): Buffer {
  if (content.byteOffset === 0 && content.buffer.byteLength >= length) {
    const whole = Buffer.from(content.buffer, 0, length);
    whole.fill(0, content.length);
    return whole;
  }
  const room = Buffer.from(new ArrayBuffer(Math.ceil(length * 1.5)));
  content.copy(room);
  return room.subarray(0, length);
}

/** A change of names: each path gets an inode or loses its own. */
interface NameChange {
  readonly folders: readonly string[];
  readonly names: readonly (readonly [path: string, inode: Inode | 'folder' | undefined])[];
}

/** How much of what is pending an image holds. */
export type Survival = 'nothing' | 'everything' | 'some';

export class DiskModel {
  /** Without syncs a control run must lose what was acknowledged. */
  readonly #ignoresSyncs: boolean;
  readonly #files = new Map<number, { inode: Inode | undefined; path: string }>();
  /** Names as the process sees them, and as they are safe. */
  readonly #names = new Map<string, Inode | 'folder'>();
  readonly #safeNames = new Map<string, Inode | 'folder'>();
  #pendingNames: NameChange[] = [];

  constructor({ ignoresSyncs = false }: { ignoresSyncs?: boolean } = {}) {
    this.#ignoresSyncs = ignoresSyncs;
    this.#names.set('', 'folder');
    this.#safeNames.set('', 'folder');
  }

  /** Takes the next call of the life. */
  apply(record: TraceRecord): void {
    switch (record.kind) {
      case 'open': {
        const { file, path, flags } = record;
        let inode = this.#names.get(path);
        if (inode === undefined && record.isNew) {
          inode = new Inode();
          this.#rename([[path, inode]]);
        }
        if (inode instanceof Inode && (flags & O_TRUNC) !== 0)
          inode.pending.push({ offset: 0, bytes: undefined });
        this.#files.set(file, { inode: inode instanceof Inode ? inode : undefined, path });
        return;
      }
      case 'write': {
        const inode = this.#files.get(record.file)?.inode;
        if (inode === undefined) return;
        inode.pending.push({ offset: record.offset, bytes: record.bytes });
        // What O_DSYNC has written is safe by itself; writes before it on other descriptors are not. All of the process's files
        // with O_DSYNC are written through one descriptor, so the difference does not show.
        if (record.isSynced && !this.#ignoresSyncs) inode.settle(inode.pending.length);
        return;
      }
      case 'truncate':
        this.#files.get(record.file)?.inode?.pending.push({ offset: record.length, bytes: undefined });
        return;
      case 'sync-begin': {
        const inode = this.#files.get(record.file)?.inode;
        inode?.syncs.push(inode.pending.length);
        return;
      }
      case 'sync-end':
        this.#sync(record.file);
        return;
      case 'close':
        this.#files.delete(record.file);
        return;
      case 'rename':
        this.#move(record.path, record.to);
        return;
      case 'link':
        this.#rename([[record.to, this.#names.get(record.path)]]);
        return;
      case 'mkdir':
        this.#rename([[record.path, 'folder']]);
        return;
      default:
        this.#rename([[record.path, undefined]]);
    }
  }

  /** A sync of a file covers what was pending when it began; one of a folder covers the names in it. */
  #sync(file: number): void {
    const opened = this.#files.get(file);
    if (opened === undefined || this.#ignoresSyncs) return;
    const { inode, path } = opened;
    if (inode !== undefined) {
      const covered = inode.syncs.shift() ?? 0;
      inode.settle(Math.min(covered, inode.pending.length));
      for (const at of inode.syncs.keys()) inode.syncs[at] = Math.max(0, inode.syncs[at]! - covered);
      return;
    }
    const rest: NameChange[] = [];
    for (const change of this.#pendingNames)
      if (change.folders.includes(path)) settleNames(this.#safeNames, change);
      else rest.push(change);
    this.#pendingNames = rest;
  }

  #move(from: string, to: string): void {
    const names: [string, Inode | 'folder' | undefined][] = [];
    for (const [path, inode] of this.#names) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      names.push([path, undefined], [to + path.slice(from.length), inode]);
    }
    this.#rename(names, [folderOf(from), folderOf(to)]);
  }

  #rename(
    names: readonly (readonly [string, Inode | 'folder' | undefined])[],
    folders: readonly string[] = names.map(([path]) => folderOf(path)),
  ): void {
    const change = { names, folders };
    settleNames(this.#names, change);
    this.#pendingNames.push(change);
  }

  /** Writes what the disk holds after a power cut into an empty folder. */
  writeImage(folder: string, survival: Survival, dice: Dice): void {
    const names = new Map(this.#safeNames);
    const most =
      survival === 'nothing'
        ? 0
        : survival === 'everything'
          ? this.#pendingNames.length
          : dice.below(this.#pendingNames.length + 1);
    for (const change of this.#pendingNames.slice(0, most)) settleNames(names, change);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const written = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [path, inode] of written) {
      if (path === '' || !hasFolder(names, path)) continue;
      if (inode === 'folder') mkdirSync(join(folder, path), { recursive: true });
      else writeFileSync(join(folder, path), contentOf(inode, survival, dice));
    }
  }
}

function settleNames(names: Map<string, Inode | 'folder'>, { names: changes }: NameChange): void {
  for (const [path, inode] of changes) {
    if (inode === undefined) names.delete(path);
    else names.set(path, inode);
  }
}

function hasFolder(names: ReadonlyMap<string, unknown>, path: string): boolean {
  return names.has(folderOf(path));
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

function contentOf(inode: Inode, survival: Survival, dice: Dice): Buffer {
  if (survival === 'nothing' || inode.pending.length === 0) return inode.content;
  let content: Buffer = Buffer.from(new ArrayBuffer(inode.content.length));
  inode.content.copy(content);
  // All up to some place, and behind it one in two: both kinds of loss are likely.
  const whole = survival === 'everything' ? inode.pending.length : dice.below(inode.pending.length + 1);
  for (const [at, change] of inode.pending.entries()) {
    if (at < whole) content = applied(content, change);
    else if (dice.below(2) === 0) content = appliedInPart(content, change, dice);
  }
  return content;
}

/** Some of the sectors of a write; a new length is there or not. */
function appliedInPart(content: Buffer, change: Change, dice: Dice): Buffer {
  const { offset, bytes } = change;
  if (bytes === undefined) return applied(content, change);
  let result = content;
  const mode = dice.below(3);
  const cut = dice.below(Math.ceil(bytes.length / SECTOR) + 1);
  for (let sector = 0; sector * SECTOR < bytes.length; sector++) {
    const isThere = mode === 0 ? sector < cut : mode === 1 ? sector >= cut : dice.below(2) === 0;
    const piece = bytes.subarray(sector * SECTOR, (sector + 1) * SECTOR);
    if (isThere) result = applied(result, { offset: offset + sector * SECTOR, bytes: piece });
  }
  return result;
}
