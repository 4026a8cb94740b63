// The note of the records in the catalog of the engine: whether there are records, which, how far they have
// come, and whether there was ever a key. The catalog is synced with each change, so the next start can tell
// whether records are missing or behind.
//
// - A note never claims more than the records durably hold: their committed state is read first.
// - The existence of keys is noted before the first key is given out.
// - The note lags behind by a few seconds. Writes of a killed process in that time are checked by the records
//   themselves.
//
// Why: docs/decisions/2026-11-24-records-are-noted-in-the-catalog.md.

import type { JsonValue, Settings } from '@octavo/engine';
import type { Records, RecordsNote, RecordsState } from '@octavo/records';

const KIND = 'records';
const NAME = 'note';

/** How often the state is read. A change is noted, which costs one sync. */
const EVERY_MS = 5_000;

/** The note in the catalog; undefined in directories of older versions. */
export function readRecordsNote(settings: Settings): RecordsNote | undefined {
  return settings.get(KIND, NAME) as RecordsNote | undefined;
}

/** The note, if the records are in the data directory itself: only an embedded store counts its commits. */
export function readEmbeddedNote(settings: Settings): RecordsNote | undefined {
  const note = readRecordsNote(settings);
  return note?.commits === undefined ? undefined : note;
}

/**
 * Notes the records after a restore. Records of the archive are noted as they are. Of records that are not in the archive only their
 * identity is noted: they are restored separately, and may be older than the documents.
 */
export async function noteRestored(settings: Settings, records: Records | undefined): Promise<void> {
  if (records !== undefined) {
    await (await RecordsNotes.begin(settings, records)).close();
    return;
  }
  const note = readRecordsNote(settings);
  if (note === undefined) return;
  const { id, keys, hadKeys, time } = note;
  const left = { id, event: 0, transfers: 0, head: '', keys, hadKeys, time };
  await settings.put(KIND, NAME, JSON.parse(JSON.stringify(left)) as JsonValue);
}

/** Keeps the note of some records up to date. */
export class RecordsNotes {
  readonly settings: Settings;
  readonly #records: Records;
  #timer: ReturnType<typeof setInterval> | undefined;
  #queue: Promise<void> = Promise.resolve();

  private constructor(settings: Settings, records: Records) {
    this.settings = settings;
    this.#records = records;
  }

  /** Notes the records as they are now, and then regularly until `close`. */
  static async begin(settings: Settings, records: Records): Promise<RecordsNotes> {
    const notes = new RecordsNotes(settings, records);
    await notes.update();
    // A full disk or absent records are reported by the requests that need them.
    notes.#timer = setInterval(() => void notes.update().catch(() => {}), EVERY_MS).unref();
    return notes;
  }

  /** Notes that there are keys. Durable when it resolves. */
  async noteKeys(): Promise<void> {
    if (readRecordsNote(this.settings)?.hadKeys !== true) await this.update();
  }

  /** Notes the current state. */
  update(): Promise<void> {
    const work = this.#queue.then(() => this.#update());
    this.#queue = work.catch(() => {});
    return work;
  }

  /** Writes the last note. REQUIRES: the records are open. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.update().catch(() => {});
  }

  async #update(): Promise<void> {
    // A late import: commands that open no records do not load it.
    const { recordsState } = await import('@octavo/records');
    const state = await this.#records.read(recordsState, {});
    const before = readRecordsNote(this.settings);
    if (before !== undefined && isUnchanged(before, state)) return;
    const note: RecordsNote = {
      ...state,
      id: state.id ?? before?.id,
      hadKeys: state.keys || before?.hadKeys === true,
      time: new Date().toISOString(),
    };
    // Drops undefined members.
    await this.settings.put(KIND, NAME, JSON.parse(JSON.stringify(note)) as JsonValue);
  }
}

function isUnchanged(note: RecordsNote, state: RecordsState): boolean {
  return (Object.keys(state) as (keyof RecordsState)[]).every((name) => note[name] === state[name]);
}
