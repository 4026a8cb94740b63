// How far is a move? A small file, replaced in one step: after a kill at any moment the same command goes on from it.

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
import type { ShardMarks } from './collection-walk.ts';

/** What is kept of a collection. */
export interface CollectionState {
  /** Of the source. Another one under the same name is another collection. */
  readonly uuid: string;
  /** What was written up to here is at the target. */
  marks: ShardMarks;
  /** True once both sides were compared and were equal. */
  compared: boolean;
  /** What the target had when this move last wrote to it: more is of somebody else. Absent while it is under way. */
  target?: ShardMarks;
}

/** What is kept of a move. */
export interface MoveState {
  readonly format: 1;
  readonly from: string;
  readonly to: string;
  readonly index: readonly string[];
  readonly recordsFrom: string;
  readonly recordsTo: string;
  readonly begun: string;
  /** The process that works on it. */
  pid: number;
  /** Deletions up to here are at the target; absent where the source tells of none. */
  events?: string;
  /** True once records of the target were changed. */
  records?: boolean;
  readonly collections: Record<string, CollectionState>;
}

const SAVE_EVERY_MS = 200;

/** The state of a move in its file. */
export class MoveStateFile {
  readonly path: string;
  readonly state: MoveState;
  /** True where an earlier run began it. */
  readonly isResumed: boolean;
  #savedAt = 0;

  constructor(path: string, state: MoveState, isResumed: boolean) {
    this.path = path;
    this.state = state;
    this.isResumed = isResumed;
  }

  /** Keeps it unless it was just kept: what is done twice after a kill changes nothing. */
  saveSoon(): void {
    if (performance.now() - this.#savedAt > SAVE_EVERY_MS) this.save();
  }

  /** Nothing is kept of a move that has not begun on anything: what was refused stands in nobody's way. */
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
      throw new Failure(`The state of the move cannot be kept in ${this.path}: ${systemReason(error)}.`);
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** What makes a move the same. */
export interface MoveIdentity {
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

/** Opens the file of a move, or begins one. Throws Failure where it is another move's, or somebody works on it. */
export function openMoveState(path: string, move: MoveIdentity): MoveStateFile {
  if (!existsSync(path)) {
    const begun = new Date().toISOString();
    const state: MoveState = { format: 1, ...move, begun, pid: process.pid, collections: {} };
    return new MoveStateFile(path, state, false);
  }
  const state = read(path);
  const anew = `give another --state, or remove ${path} to begin anew`;
  for (const [key, name] of Object.entries(FLAGS) as [keyof MoveIdentity, string][])
    if (String(state[key]) !== String(move[key]))
      throw new Failure(`${path} is of a move with another ${name} (${state[key]}): ${anew}.`, EXIT.usage);
  if (state.pid !== process.pid && isAlive(state.pid))
    throw new Failure(`The process ${state.pid} works on this move; if it is something else, ${anew}.`);
  state.pid = process.pid;
  return new MoveStateFile(path, state, true);
}

function read(path: string): MoveState {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as MoveState;
    if (state.format === 1) return state;
  } catch {
    // told below
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
