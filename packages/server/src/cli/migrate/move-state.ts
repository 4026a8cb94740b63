// The state of a move in a small file that is replaced atomically: after a kill at any moment the same
// command continues from it.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { EXIT, Failure, systemReason } from '../failure.ts';
import type { ShardMarks } from './walk-index.ts';

/** The progress of one index. */
interface IndexProgress {
  /** Of the source. Another uuid under the same name is another index. */
  readonly uuid: string;
  /** The target has everything up to here. */
  marks: ShardMarks;
  /** True once both sides were compared and equal. */
  compared: boolean;
  /**
   * The target's numbers when this move last wrote to it; higher ones are of others. Absent while it is
   * running.
   */
  target?: ShardMarks;
}

/** The state of a move. */
interface MoveState {
  readonly format: 1;
  readonly from: string;
  readonly to: string;
  readonly index: readonly string[];
  readonly recordsFrom: string;
  readonly recordsTo: string;
  readonly begun: string;
  /** The process that works on it. */
  pid: number;
  /** The target has the deletions up to here; absent if the source has no events. */
  events?: string;
  /** True once the target's records were changed. */
  records?: boolean;
  readonly collections: Record<string, IndexProgress>;
}

const SAVE_EVERY_MS = 200;

export class MoveStateFile {
  readonly path: string;
  readonly state: MoveState;
  /** True if an earlier run began it. */
  readonly isResumed: boolean;
  #savedAt = 0;

  constructor(path: string, state: MoveState, isResumed: boolean) {
    this.path = path;
    this.state = state;
    this.isResumed = isResumed;
  }

  /** Saves unless it was saved just now: repeating work after a kill is harmless. */
  saveSoon(): void {
    if (performance.now() - this.#savedAt > SAVE_EVERY_MS) this.save();
  }

  /** Saves nothing of a move that has not changed anything, so that a refused run leaves no file behind. */
  save(): void {
    const { collections, records } = this.state;
    if (!this.isResumed && records !== true && Object.keys(collections).length === 0) return;
    this.#savedAt = performance.now();
    try {
      const file = openSync(`${this.path}.new`, 'w', 0o600);
      try {
        writeSync(file, `${JSON.stringify(this.state, undefined, 1)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(`${this.path}.new`, this.path);
    } catch (error) {
      throw new Failure(`The state of the move cannot be stored in ${this.path}: ${systemReason(error)}.`);
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** The flags that identify a move. */
interface MoveIdentity {
  readonly from: string;
  readonly to: string;
  readonly index: readonly string[];
  readonly recordsFrom: string;
  readonly recordsTo: string;
}

const FLAGS = {
  from: '--from',
  to: '--to',
  index: '--index',
  recordsFrom: '--records-from',
  recordsTo: '--records-to',
} as const;

/**
 * Opens or creates the state file. Throws Failure if it belongs to another move, or a process works on it.
 */
export function openMoveState(path: string, move: MoveIdentity): MoveStateFile {
  if (!existsSync(path)) {
    const begun = new Date().toISOString();
    const state: MoveState = { format: 1, ...move, begun, pid: process.pid, collections: {} };
    return new MoveStateFile(path, state, false);
  }
  const state = read(path);
  const anew = `give another --state, or remove ${path} to start again`;
  for (const [key, name] of Object.entries(FLAGS) as [keyof MoveIdentity, string][])
    if (String(state[key]) !== String(move[key]))
      throw new Failure(
        `${path} belongs to a move with another ${name} (${state[key]}): ${anew}.`,
        EXIT.usage,
      );
  if (state.pid !== process.pid && isAlive(state.pid))
    throw new Failure(
      `Process ${state.pid} is working on this move. If that process is another program, ${anew}.`,
    );
  state.pid = process.pid;
  return new MoveStateFile(path, state, true);
}

function read(path: string): MoveState {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as MoveState;
    if (state.format === 1) return state;
  } catch {
    // reported below
  }
  throw new Failure(`${path} is not the state of a move that this version can read.`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
