// The note of the records in the catalog of the engine: that there are some, which, how far they have come, and whether there was
// ever a key. The catalog is synced with each change, so the next start knows when records are missing or behind.
//
// - A note never claims more than the records durably hold: their state is read first, from what is committed.
// - That there are keys is noted before the first one is answered.
// - It lags behind by a few seconds. What a killed process wrote meanwhile is watched over by the records themselves.

import type { JsonValue, Settings } from '@octavo/engine';
import type { Records, RecordsNote, RecordsState } from '@octavo/records';

const KIND = 'records';
const NAME = 'note';

/** So often the state is looked at; it is noted where it has changed, which is one sync. */
const EVERY_MS = 5_000;

/** What the catalog has noted of the records; undefined where nothing was, as in directories of older versions. */
export function readRecordsNote(settings: Settings): RecordsNote | undefined {
  return settings.get(KIND, NAME) as RecordsNote | undefined;
}

/** The note of the records that are in the directory itself: only an embedded store counts its commits. */
export function readEmbeddedNote(settings: Settings): RecordsNote | undefined {
  const note = readRecordsNote(settings);
  return note?.commits === undefined ? undefined : note;
}

/**
 * Notes that records which came with an archive are as they are, and of those that did not come only which they were: they are
 * restored on their own, and may be a little older than the documents.
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

/** Notes how far records have come. */
export class RecordsNotes {
  readonly settings: Settings;
  readonly #records: Records;
  #timer: ReturnType<typeof setInterval> | undefined;
  #queue: Promise<void> = Promise.resolve();

  private constructor(settings: Settings, records: Records) {
    this.settings = settings;
    this.#records = records;
  }

  /** Notes the records as they are now, whatever was noted before, and goes on with it until it is closed. */
  static async begin(settings: Settings, records: Records): Promise<RecordsNotes> {
    const notes = new RecordsNotes(settings, records);
    await notes.take();
    // A disk that is full, or records that are away, are told of where they are needed.
    notes.#timer = setInterval(() => void notes.take().catch(() => {}), EVERY_MS).unref();
    return notes;
  }

  /** That there are keys. Durable when it resolves. */
  async noteKeys(): Promise<void> {
    if (readRecordsNote(this.settings)?.hadKeys !== true) await this.take();
  }

  /** Notes the state of this moment. */
  take(): Promise<void> {
    const work = this.#queue.then(() => this.#take());
    this.#queue = work.catch(() => {});
    return work;
  }

  /** The last note. To be called while the records are still open. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.take().catch(() => {});
  }

  async #take(): Promise<void> {
    // Late: commands that open nothing do not wait for it.
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
    // What is undefined has no place in JSON.
    await this.settings.put(KIND, NAME, JSON.parse(JSON.stringify(note)) as JsonValue);
  }
}

function isUnchanged(note: RecordsNote, state: RecordsState): boolean {
  return (Object.keys(state) as (keyof RecordsState)[]).every((name) => note[name] === state[name]);
}
