// Repairs a data directory that a start refuses, or that has damage no start can mend. The whole repair runs
// over the directory in memory first: so it is known what it loses, which files it changes, and that a start is
// possible behind it. Then the originals of those files are copied, and the repair is made.

import type { Disk } from '../../disk/disk.ts';
import { DiskFullError, isOutOfRoom } from '../../disk/failure.ts';
import { folderOf } from '../../disk/file-name.ts';
import { OverlayDisk } from '../../disk/overlay.ts';
import { openDisk } from '../../disk/real.ts';
import type { RunningEngine } from '../engine.ts';
import { open } from '../start/open.ts';
import { type NoteAbout, type OpenOptions, withoutRepeats } from '../start/open-options.ts';
import { repairFiles } from './repair-files.ts';

/** What a repair would do. */
export interface RepairPlan {
  /** What is wrong, one line each; empty if there is nothing to repair. */
  readonly findings: readonly string[];
  /** What is lost for good, one line each. */
  readonly losses: readonly string[];
  /** Files that are changed or removed; copies of them are kept. */
  readonly files: readonly string[];
  /** Folder of the copies, relative to the directory. */
  readonly folder: string;
}

/** Options of a repair. */
export interface RepairOptions {
  /** Called before anything is changed; false leaves everything as it is. */
  readonly decide: (plan: RepairPlan) => Promise<boolean>;
  readonly disk?: Disk;
  readonly now?: () => number;
}

const COPY_BYTES = 1 << 20;

/**
 * Repairs a directory. Returns the plan, with `isDone` if it was carried out. Rejects, with nothing changed, if
 * the directory is in use, of a later version, or cannot be repaired.
 */
export async function repairDirectory(
  dir: string,
  options: RepairOptions,
): Promise<RepairPlan & { readonly isDone: boolean }> {
  const now = options.now ?? Date.now;
  const disk = options.disk ?? (await openDisk(dir));
  const unlock = await disk.lock();
  try {
    const started = now();
    const findings = await findingsOf(disk, now);
    const folder = `before-repair-${new Date(started).toISOString().replaceAll(':', '-')}`;
    const plan = findings.length === 0 ? { losses: [], files: [] } : await rehearse(disk, started);
    const whole: RepairPlan = { findings, folder, ...plan };
    if (findings.length === 0 || !(await options.decide(whole))) return { ...whole, isDone: false };
    await copyFiles(disk, plan.files, folder);
    await repair(withoutLock(disk), started).catch((error: unknown) => {
      throw new Error(
        `the repair was not finished: ${(error as Error).message}; the originals of all files are in ${folder}`,
      );
    });
    return { ...whole, isDone: true };
  } finally {
    await unlock();
  }
}

/** What a start and a check of everything behind it find. */
async function findingsOf(disk: Disk, now: () => number): Promise<string[]> {
  const findings: string[] = [];
  const options = { disk: new OverlayDisk(disk), ballastBytes: 0, now, onFailure: () => {} };
  try {
    const notes: { line: string; about: NoteAbout | undefined }[] = [];
    const onNote: OpenOptions['onNote'] = (line, about) => void notes.push({ line, about });
    const engine = await open('', { ...options, onNote });
    const found = await engine.verify();
    findings.push(...withoutRepeats(notes, found), ...found);
    await engine.close();
  } catch (error) {
    findings.push((error as Error).message);
  }
  return [...new Set(findings)];
}

/** The repair in memory. Rejects if no start is possible behind it. */
async function rehearse(disk: Disk, started: number): Promise<Pick<RepairPlan, 'losses' | 'files'>> {
  const overlay = new OverlayDisk(disk);
  let losses: string[];
  try {
    losses = await repair(overlay, started);
    // Behind it a start has to be possible, and to find nothing.
    const engine = await open('', { disk: overlay, ballastBytes: 0, onFailure: () => {} });
    const left = await engine.verify();
    await engine.close();
    losses.push(...left.map((finding) => `this stays as it is: ${finding}`));
  } catch (error) {
    throw new Error(
      `this directory cannot be repaired, and nothing was changed: ${(error as Error).message}`,
    );
  }
  return { losses, files: overlay.changed.filter((name) => name !== 'log/ballast') };
}

/** Repairs the files, starts, and drops what cannot be read. Returns what is lost. */
async function repair(disk: Disk, started: number): Promise<string[]> {
  const losses = await repairFiles(disk, started);
  let failure: Error | undefined;
  const onFailure = (error: unknown): void => {
    failure ??= error as Error;
  };
  // An unreadable last append looks the same whether power or disk failed.
  const onNote: OpenOptions['onNote'] = (note, about) => {
    if (about?.kind === 'torn')
      losses.push(`${note}; unless the process was killed during that write, repeat it`);
  };
  const engine = (await open('', { disk, ballastBytes: 0, onFailure, onNote })) as RunningEngine;
  try {
    losses.push(...(await engine.dropUnreadable()));
  } finally {
    await engine.close();
  }
  if (failure !== undefined) throw failure;
  return losses;
}

/** Copies files to a folder, durably. Rejects with no copy left if there is no room. */
async function copyFiles(disk: Disk, names: readonly string[], folder: string): Promise<void> {
  try {
    await copyAll(disk, names, folder);
  } catch (error) {
    for (const name of names) await disk.remove(`${folder}/${name}`).catch(() => {});
    if (!isOutOfRoom(error) && !(error instanceof DiskFullError)) throw error;
    throw new Error(`the disk has no room for copies of ${names.length} files, so nothing was changed`);
  }
}

async function copyAll(disk: Disk, names: readonly string[], folder: string): Promise<void> {
  const piece = new Uint8Array(COPY_BYTES);
  const folders = new Set<string>();
  for (const name of names) {
    const from = await disk.open(name);
    const to = await disk.open(`${folder}/${name}`, { create: true });
    for (let at = 0; at < from.size(); at += COPY_BYTES) {
      const read = from.readSync(piece.subarray(0, Math.min(COPY_BYTES, from.size() - at)), at);
      if ((await to.write([piece.subarray(0, read)], at)) < read)
        throw new DiskFullError('copying the originals');
    }
    await to.sync();
    await from.close();
    await to.close();
    folders.add(folderOf(`${folder}/${name}`));
  }
  for (const each of folders) await disk.syncFolder(each);
}

/** The same disk, locked already. */
function withoutLock(disk: Disk): Disk {
  const path = disk.path?.bind(disk);
  return {
    ...(path !== undefined && { path }),
    open: (name, how) => disk.open(name, how),
    read: (name) => disk.read(name),
    rename: (from, to) => disk.rename(from, to),
    remove: (name) => disk.remove(name),
    list: (folder) => disk.list(folder),
    syncFolder: (folder) => disk.syncFolder(folder),
    lock: async () => async () => {},
  };
}
