// `octavo backup`: saves a running server or a data directory in one archive, which is read back and checked
// before it gets its name.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { readArchive } from '../../backup/read-archive.ts';
import { createArchive } from '../../backup/write-archive.ts';
import { readEmbeddedNote, readRecordsNote } from '../../records-notes.ts';
import { Failure, systemReason } from '../failure.ts';
import { directFlag, headerFlag, keyFlag, quietFlag, sentHeaders, urlFlag } from '../flags.ts';
import { fetchStream } from '../io/http-client.ts';
import { elapsedSeconds, formatCount, startProgress } from '../io/progress.ts';
import { openEngine, openRecordsAt, requireDataDirectory, requireOneTarget } from '../open-stores.ts';

interface BackupFlags {
  readonly url: string;
  readonly data?: string;
  readonly key?: string;
  readonly header?: Record<string, string>;
  readonly quiet?: boolean;
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up a running server or a data directory in one file.')
    .argument('<file>', 'the archive to write (tar)')
    .addOption(urlFlag())
    .addOption(directFlag({ creates: false }))
    .addOption(keyFlag('the scope admin:admin'))
    .addOption(headerFlag())
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action((file: string, flags: BackupFlags, command: Command) => {
      requireOneTarget(flags.data, command.getOptionValueSource('url'));
      return runBackup(file, flags);
    });
}

const EXAMPLES = `
The server keeps running. The archive has everything that was committed when the backup started. It gets its name after each
file in it is verified by its hash, so an archive with its name is complete. It contains documents, records and hashes of keys:
keep it where only you can read it. Records in PostgreSQL are not included: save them with pg_dump, before the documents.

Examples:
  octavo backup octavo-monday.tar --key "$KEY"
  octavo backup octavo-monday.tar --data /var/lib/octavo       no server may be using it
  octavo restore octavo-monday.tar --data /var/lib/octavo-again`;

const MB = 1e6;

async function runBackup(file: string, flags: BackupFlags): Promise<void> {
  const part = `${file}.part`;
  const started = performance.now();
  const shown = startProgress({ label: 'saving', unit: 'MB', quiet: flags.quiet });
  let bytes = 0;
  let files = 0;
  const source = await openArchive(flags);
  try {
    const out = create(part);
    try {
      const kept = new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          writeAll(out, piece);
          bytes += piece.length;
          shown.update(Math.round(bytes / MB));
          controller.enqueue(piece);
        },
      });
      files = (await readArchive(source.stream.pipeThrough(kept))).files.length;
      fsyncSync(out);
    } finally {
      closeSync(out);
      shown.end();
    }
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(`The archive could not be saved: ${systemReason(error)}.`);
  } finally {
    await source.close();
  }
  if (flags.quiet !== true) {
    const size = (bytes / MB).toFixed(1);
    process.stderr.write(
      `saved ${formatCount(files, 'file')}, ${size} MB, in ${elapsedSeconds(started)} s, all verified\n`,
    );
  }
}

interface OpenArchive {
  readonly stream: ReadableStream<Uint8Array>;
  close(): Promise<void>;
}

async function openArchive(flags: BackupFlags): Promise<OpenArchive> {
  if (flags.data === undefined) {
    const stream = await fetchStream(`${flags.url}/api/backup`, sentHeaders(flags));
    return { stream, close: async () => {} };
  }
  requireDataDirectory(flags.data);
  const engine = await openEngine(flags.data);
  const note = readRecordsNote(engine.settings);
  const isElsewhere = note !== undefined && readEmbeddedNote(engine.settings) === undefined;
  const records = await (isElsewhere
    ? undefined
    : openRecordsAt({ data: flags.data }, Promise.resolve(note)).catch(async (error: unknown) => {
        await engine.close();
        throw error;
      }));
  return {
    stream: createArchive({ engine, records }),
    close: async () => {
      await records?.close();
      await engine.close();
    },
  };
}

function create(part: string): number {
  try {
    return openSync(part, 'w', 0o600);
  } catch (error) {
    const folder = dirname(part);
    if (!existsSync(folder)) throw new Failure(`${part} cannot be written: there is no folder ${folder}.`);
    throw new Failure(`${part} cannot be written: ${systemReason(error)}.`);
  }
}

function writeAll(file: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
}
