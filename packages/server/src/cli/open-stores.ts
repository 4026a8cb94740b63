// Opens engines, settings and records for the commands. Modules are loaded late, so that `octavo --help` need
// not wait for them.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, OpenOptions, OpenSettings, Settings } from '@octavo/engine';
import type { Records, RecordsNote } from '@octavo/records';
import { RecordsNotes, readRecordsNote } from '../records-notes.ts';
import { EXIT, Failure, systemReason } from './failure.ts';

type Templates = typeof import('../wire/templates/index-defaults.ts');

/** Settings of `serve` for the engine. */
interface EngineFlags {
  readonly compat?: 'opensearch' | 'elasticsearch';
  readonly memoryBytes?: number;
  /** True if other threads will read. */
  readonly allowReplicas?: boolean;
  /** Called once threads have begun to read documents. */
  readonly onReading?: () => void;
}

/**
 * Opens a data directory and prints on stderr what the start repaired. Throws a Failure if it cannot be
 * opened.
 */
export async function openEngine(
  dir: string,
  settings: EngineFlags = {},
  onNote: NonNullable<OpenOptions['onNote']> = printNote,
): Promise<Engine> {
  const { EngineError, open } = await import('@octavo/engine');
  try {
    const opening = open(dir, {
      ...settings,
      // Templates are stored in the engine's settings; the engine asks for them when a write creates an
      // index.
      indexDefaults: (name) => indexDefaults(engine)(name),
      onNote,
      onFailure: (error) => exitOnFailure(error),
    });
    const [engine, { indexDefaults }]: [Engine, Templates] = await Promise.all([
      opening,
      import('../wire/templates/index-defaults.ts'),
    ]);
    return engine;
  } catch (error) {
    throw error instanceof EngineError ? new Failure(error.message) : directoryFailure(dir, error);
  }
}

/** Throws a Failure if there is no data directory. Opening would create one, which a command that only reads must not do. */
export function requireDataDirectory(dir: string): void {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    throw new Failure(`There is no data directory at ${dir}: ${systemReason(error)}.`);
  }
  if (names.length === 0) throw new Failure(`There is no data directory at ${dir}: the folder is empty.`);
  if (!names.includes('catalog') && !names.includes('log'))
    throw new Failure(`There is no data directory at ${dir}: the folder has neither a catalog nor a log.`);
}

/** An error of opening a data directory, as a Failure if it is for people. */
export function directoryFailure(dir: string, error: unknown): unknown {
  if (typeof (error as NodeJS.ErrnoException).code === 'string')
    return new Failure(`The data directory ${dir} cannot be opened: ${directoryReason(error)}.`);
  // Damage beyond repair and a directory in use are plain errors with messages for people.
  if (error instanceof Error && !(error instanceof TypeError || error instanceof RangeError))
    return new Failure(`${error.message}.`);
  return error;
}

/** Opens the settings of a data directory without its documents. Throws a Failure if it cannot be opened. */
export async function openStoredSettings(dir: string): Promise<OpenSettings> {
  const { openSettings } = await import('@octavo/engine');
  try {
    return await openSettings(dir);
  } catch (error) {
    throw directoryFailure(dir, error);
  }
}

/** Where the records are: in a named PostgreSQL, else in the data directory. */
export interface RecordsFlags {
  readonly data: string;
  /** `postgres://…`; may contain a password, so it is never printed. */
  readonly records?: string | undefined;
  /** What to do with records that do not match what was noted of them. */
  readonly acceptRecords?: boolean | undefined;
  readonly newRecords?: boolean | undefined;
}

/**
 * Opens the records after it is known what was noted of them. Throws a Failure if they cannot be opened or do
 * not match.
 */
export async function openRecordsAt(
  { data, records: url, acceptRecords, newRecords }: RecordsFlags,
  noted?: Promise<RecordsNote | undefined>,
): Promise<Records> {
  if (url !== undefined && !/^postgres(ql)?:\/\//i.test(url))
    throw new Failure('--records takes an address such as postgres://user@host:5432/database.', EXIT.usage);
  if (newRecords === true && url !== undefined)
    throw new Failure(
      '--new-records sets a file aside, but PostgreSQL has none: create another database, name it with --records and add --accept-records.',
      EXIT.usage,
    );
  const { openRecords, RecordsError } = await import('@octavo/records');
  try {
    const lost = newRecords === true ? 'new' : acceptRecords === true ? 'accept' : undefined;
    return await openRecords(url ?? data, {
      ...(noted !== undefined && { noted }),
      lost,
      onDamage: printNote,
      onFailure: (error) => exitOnFailure(error, 'the records have failed'),
    });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) throw error;
    const where = url === undefined ? `The records of the data directory ${data}` : 'The records';
    const cure =
      error instanceof RecordsError && /^records-(lost|damaged)$/.test(error.code)
        ? ` ${lostRecordsAdvice(url !== undefined)}`
        : '';
    throw new Failure(`${where} cannot be opened: ${error.message}${cure}`);
  }
}

/**
 * Starts to note the state of a server's records. Warns if the keys were lost with the records that contained
 * them.
 */
export async function startRecordsNotes(
  settings: Settings,
  records: Records,
  { data, records: url, jwtJwks }: RecordsFlags & { readonly jwtJwks?: string },
): Promise<RecordsNotes> {
  const notes = await RecordsNotes.begin(settings, records);
  const { hadKeys, keys } = readRecordsNote(settings)!;
  if (hadKeys && !keys && jwtJwks === undefined)
    printNote(
      'there were API keys, and now there are none: every request is refused. Stop this server and create one: ' +
        `octavo keys create ${url === undefined ? `--data ${data}` : '--records URL'}`,
    );
  return notes;
}

/** Advice for records that are missing or behind. */
function lostRecordsAdvice(isShared: boolean): string {
  const restore = isShared ? 'restore the database' : 'restore the data directory';
  const begin = isShared ? '' : ', or with --new-records to set it aside and start with new ones';
  return (
    `Nothing was changed: ${restore} from a backup. Without one, start it once with --accept-records to continue with what is there` +
    `${begin}. If there were keys, requests still need one.`
  );
}

/** True if the data directory has records but another place is used. */
export function hasUnusedRecords({ data, records }: RecordsFlags): boolean {
  return records !== undefined && existsSync(join(data, 'records.db'));
}

/** `ENOENT` on creating folders means that folders cannot be created there. */
function directoryReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'no folder can be created there' : systemReason(error);
}

/** Import and export work on one target; both flags would be ambiguous. */
export function requireOneTarget(data: string | undefined, urlSource: string | undefined): void {
  if (data !== undefined && urlSource === 'cli') {
    throw new Failure('Give --url or --data, not both.', EXIT.usage);
  }
}

function printNote(note: string): void {
  process.stderr.write(`octavo: ${note}\n`);
}

/** After a failed sync the contents of the disk are unknown: nothing may be acknowledged any more. */
function exitOnFailure(error: unknown, what = 'the disk has failed'): void {
  // Errors of the system have a code. Any other error is a defect, and its stack trace helps to find it.
  const ofDisk = typeof (error as NodeJS.ErrnoException | null)?.code === 'string';
  const text = error instanceof Error ? (ofDisk ? error.message : error.stack) : String(error);
  const cause = ofDisk ? what : 'a write has failed in a way that should not happen';
  process.stderr.write(`octavo: ${cause}, exiting now (acknowledged writes are safe): ${text}\n`);
  process.exit(EXIT.failed);
}
