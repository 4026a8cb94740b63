// Where do engines and servers come from? One place that loads them, late: `octavo --help` must not wait for them.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, OpenSettings, Settings } from '@octavo/engine';
import type { Records, RecordsNote } from '@octavo/records';
import { noteOf, RecordsNotes } from '../records-notes.ts';
import { EXIT, Failure, systemReason } from './failure.ts';

type Templates = typeof import('../wire/templates/templates.ts');

/** What `serve` sets beside the directory. */
export interface EngineFlags {
  readonly compat?: 'opensearch' | 'elasticsearch';
  readonly memoryBytes?: number;
  /** True where other threads are to read. */
  readonly lends?: boolean;
  /** Called once threads have begun to read documents. */
  readonly onReading?: () => void;
}

/** Opens a data directory. What was mended at the start is told on stderr. Throws a Failure where it cannot be used. */
export async function openEngine(
  dir: string,
  settings: EngineFlags = {},
  onNote: (note: string) => void = printNote,
): Promise<Engine> {
  const { EngineError, open } = await import('@octavo/engine');
  try {
    const opening = open(dir, {
      ...settings,
      // Templates live in the engine's settings: the engine asks when a write makes an index.
      indexDefaults: (name) => indexDefaults(engine)(name),
      onNote,
      onFailure: exitOnFailure,
    });
    const [engine, { indexDefaults }]: [Engine, Templates] = await Promise.all([
      opening,
      import('../wire/templates/templates.ts'),
    ]);
    return engine;
  } catch (error) {
    throw error instanceof EngineError ? new Failure(error.message) : directoryFailure(dir, error);
  }
}

function directoryFailure(dir: string, error: unknown): unknown {
  if (typeof (error as NodeJS.ErrnoException).code === 'string')
    return new Failure(`The data directory ${dir} cannot be opened: ${directoryReason(error)}.`);
  // Damage that cannot be mended and a directory that is in use are told by plain errors, in words for a person.
  if (error instanceof Error && !(error instanceof TypeError || error instanceof RangeError))
    return new Failure(`${error.message}.`);
  return error;
}

/** Opens the settings of a data directory without its documents. Throws a Failure where it cannot be used. */
export async function openStoredSettings(dir: string): Promise<OpenSettings> {
  const { openSettings } = await import('@octavo/engine');
  try {
    return await openSettings(dir);
  } catch (error) {
    throw directoryFailure(dir, error);
  }
}

/** Where records are: in a PostgreSQL where one is named, else beside the documents. */
export interface RecordsFlags {
  readonly data: string;
  /** `postgres://…`; may hold a password, so it is never told. */
  readonly records?: string | undefined;
  /** What to do with records that are not as they were noted, by their flags. */
  readonly acceptRecords?: boolean | undefined;
  readonly newRecords?: boolean | undefined;
}

/**
 * Opens the records of a place, not before it is clear what was noted of them. Throws a Failure where they cannot be used, or
 * are not as they were noted.
 */
export async function openRecordsAt(
  { data, records: url, acceptRecords, newRecords }: RecordsFlags,
  noted?: Promise<RecordsNote | undefined>,
): Promise<Records> {
  if (url !== undefined && !/^postgres(ql)?:\/\//i.test(url))
    throw new Failure('--records takes an address such as postgres://user@host:5432/database.', EXIT.usage);
  if (newRecords === true && url !== undefined)
    throw new Failure(
      '--new-records sets a file aside, and there is none: make another database, name it with --records and say --accept-records.',
      EXIT.usage,
    );
  const { openRecords, RecordsError } = await import('@octavo/records');
  try {
    const lost = newRecords === true ? 'new' : acceptRecords === true ? 'accept' : undefined;
    return await openRecords(url ?? data, {
      ...(noted !== undefined && { noted }),
      lost,
      onDamage: printNote,
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

/** Begins to note the records of a server, and says where the keys are gone with the records that held them. */
export async function startRecordsNotes(
  settings: Settings,
  records: Records,
  { data, records: url, jwtJwks }: RecordsFlags & { readonly jwtJwks?: string },
): Promise<RecordsNotes> {
  const notes = await RecordsNotes.begin(settings, records);
  const { hadKeys, keys } = noteOf(settings)!;
  if (hadKeys && !keys && jwtJwks === undefined)
    printNote(
      'there were API keys, and there is none now: every request is refused. End this server and make one: ' +
        `octavo keys create ${url === undefined ? `--data ${data}` : '--records URL'}`,
    );
  return notes;
}

/** What a person can do about records that are missing or behind. */
export function lostRecordsAdvice(isShared: boolean): string {
  const restore = isShared ? 'restore the database' : 'restore the data directory';
  const begin = isShared ? '' : ', with --new-records to set it aside and begin new ones';
  return (
    `Nothing was changed: ${restore} from a copy. Without one, start it once with --accept-records to go on with what is there` +
    `${begin}. Where there were keys, a key is needed as before.`
  );
}

/** True where a data directory has records that another place stands in for. */
export function hasUnusedRecords({ data, records }: RecordsFlags): boolean {
  return records !== undefined && existsSync(join(data, 'records.db'));
}

/** `ENOENT` while folders are made: the system has no room for folders there. */
function directoryReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'no folder can be made there' : systemReason(error);
}

/** Import and export work on one of two places; naming both leaves it open which. */
export function requireOneTarget(data: string | undefined, urlSource: string | undefined): void {
  if (data !== undefined && urlSource === 'cli') {
    throw new Failure('Give --url or --data, not both.', EXIT.usage);
  }
}

function printNote(note: string): void {
  process.stderr.write(`octavo: ${note}\n`);
}

/** After a failed sync or a broken step nobody knows what the disk holds: nothing may be acknowledged any more. */
function exitOnFailure(error: unknown): void {
  // Only what the system says has a code; anything else is a mistake of ours, and its trace is what finds it.
  const ofDisk = typeof (error as NodeJS.ErrnoException | null)?.code === 'string';
  const text = error instanceof Error ? (ofDisk ? error.message : error.stack) : String(error);
  const cause = ofDisk ? 'the disk has failed' : 'a write has failed in a way that should not happen';
  process.stderr.write(`octavo: ${cause}, ending at once (what was acknowledged is safe): ${text}\n`);
  process.exit(EXIT.failed);
}
