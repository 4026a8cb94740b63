// `octavo restore`: unpacks an archive next to the target, checks it like a doctor, and only then renames it:
// a directory of that name is complete.

import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { type FileSink, readArchive } from '../../backup/read-archive.ts';
import { noteRestored } from '../../records-notes.ts';
import { Failure, systemReason } from '../failure.ts';
import { flag, quietFlag } from '../flags.ts';
import { elapsedSeconds, formatCount, startProgress } from '../io/progress.ts';
import { openEngine, openRecordsAt } from '../open-stores.ts';
import { checkRecords } from './doctor-records.ts';

interface RestoreFlags {
  readonly data: string;
  readonly quiet?: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restore a data directory from an archive of octavo backup.')
    .argument('<file>', 'the archive')
    .addOption(flag('--data <dir>', 'the data directory to create. An existing one must be empty', 'data'))
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action(runRestore);
}

const EXAMPLES = `
The command unpacks the archive next to the target, verifies the hash of every file, and checks the result as octavo doctor does.
Only then does the directory get its name. Keys and page tokens from before the backup work. Scrolls and points in time do not.

Example:
  octavo restore octavo-monday.tar --data /var/lib/octavo-again && octavo serve --data /var/lib/octavo-again`;

const MB = 1e6;

async function runRestore(file: string, flags: RestoreFlags): Promise<void> {
  const dir = resolve(flags.data);
  requireFree(dir, flags.data);
  const bytes = fileSize(file);
  const started = performance.now();
  const beside = join(dirname(dir), `.octavo-restore-${process.pid}`);
  try {
    const manifest = await unpack(file, beside, bytes, flags.quiet);
    const findings = await check(beside);
    if (findings.length > 0) throw new Failure(`The contents of ${file} are damaged: ${findings[0]}`);
    if (existsSync(dir)) rmSync(dir, { recursive: true });
    renameSync(beside, dir);
    syncFolder(dirname(dir));
    if (flags.quiet !== true) {
      process.stderr.write(
        `restored ${formatCount(manifest.files.length, 'file')} of ${manifest.created_at} to ${flags.data} in ${elapsedSeconds(started)} s, all verified\n`,
      );
    }
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(`${file} cannot be restored: ${systemReason(error)}.`);
  }
}

function requireFree(dir: string, named: string): void {
  if (!existsSync(dir)) return;
  if (!statSync(dir).isDirectory()) throw new Failure(`${named} is not a folder.`);
  if (readdirSync(dir).length > 0) {
    throw new Failure(
      `${named} is not empty: restore to another directory, and swap the two when you are sure.`,
    );
  }
}

function fileSize(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${systemReason(error)}.`);
  }
}

async function unpack(file: string, dir: string, total: number, quiet: boolean | undefined) {
  const shown = startProgress({ label: 'restoring', unit: 'MB', total: Math.ceil(total / MB), quiet });
  let bytes = 0;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stream = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
  try {
    const manifest = await readArchive(stream, (name): FileSink => {
      const path = join(dir, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const out = openSync(path, 'wx', 0o600);
      return {
        write: (piece) => {
          for (let at = 0; at < piece.length; ) at += writeSync(out, piece, at);
          bytes += piece.length;
          shown.update(Math.round(bytes / MB));
        },
        end: () => {
          fsyncSync(out);
          closeSync(out);
        },
      };
    });
    for (const folder of readdirSync(dir, { withFileTypes: true })) {
      if (folder.isDirectory()) syncFolder(join(dir, folder.name));
    }
    syncFolder(dir);
    return manifest;
  } finally {
    shown.end();
  }
}

/**
 * Repairs by the start count as findings: a proper archive needs none. The records are noted as they are,
 * since the catalog was archived after them and may know newer ones.
 */
async function check(dir: string): Promise<string[]> {
  const notes: string[] = [];
  const engine = await openEngine(dir, {}, (note) => notes.push(note));
  try {
    notes.push(...(await engine.verify()));
    const hasRecords = existsSync(join(dir, 'records.db'));
    if (hasRecords) notes.push(...(await checkRecords(dir)).findings);
    if (notes.length > 0) return notes;
    const records = hasRecords ? await openRecordsAt({ data: dir }) : undefined;
    try {
      await noteRestored(engine.settings, records);
    } finally {
      await records?.close();
    }
  } finally {
    await engine.close();
  }
  return notes;
}

function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
