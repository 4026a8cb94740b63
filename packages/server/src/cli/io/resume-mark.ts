// The state of an export in `FILE.resume`: how many bytes of FILE are complete, and the last id in them.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from '../failure.ts';

interface ResumeMark {
  readonly index: string;
  readonly query: string;
  readonly format: string;
  /** Bytes of the file up to the end of the last complete document. */
  readonly bytes: number;
  readonly documents: number;
  readonly lastId: string;
}

function markPath(file: string): string {
  return `${file}.resume`;
}

/** Replaces the mark atomically: an interruption leaves the old or the new one. */
export function writeResumeMark(file: string, mark: ResumeMark): void {
  writeFileSync(`${markPath(file)}.new`, `${JSON.stringify(mark)}\n`);
  renameSync(`${markPath(file)}.new`, markPath(file));
}

export function removeResumeMark(file: string): void {
  rmSync(markPath(file), { force: true });
}

/** Reads the mark of an unfinished export. Throws a Failure for another export's. */
export function readResumeMark(
  file: string,
  wanted: { index: string; query: string; format: string },
): ResumeMark {
  const path = markPath(file);
  if (!existsSync(path)) {
    throw new Failure(
      existsSync(file)
        ? `${file} cannot be resumed: there is no ${path}. The export is complete, or the file was not written by --out.`
        : `${file} does not exist; start with --out ${file}.`,
    );
  }
  let mark: ResumeMark;
  try {
    mark = JSON.parse(readFileSync(path, 'utf8')) as ResumeMark;
  } catch {
    throw new Failure(`${path} cannot be read; start again with --out ${file}.`);
  }
  for (const key of ['index', 'query', 'format'] as const) {
    if (mark[key] !== wanted[key]) {
      throw new Failure(
        `${file} was started with another ${key} (${mark[key]}); give the same one, or start again with --out.`,
      );
    }
  }
  return mark;
}
