// `octavo doctor --repair`: says what is wrong and what a repair loses, asks, repairs, and says where the originals
// are.

import { createInterface } from 'node:readline/promises';
import type { RepairPlan } from '@octavo/engine';
import { EXIT, Failure } from '../failure.ts';
import { directoryFailure } from '../open-stores.ts';

/**
 * Repairs the documents of a directory if there is something to repair. Throws a Failure if nothing was changed:
 * it was not wanted, or is not possible.
 */
export async function repairDocuments(dir: string, isWanted: boolean): Promise<void> {
  const { repairDirectory } = await import('@octavo/engine');
  const decide = async (plan: RepairPlan): Promise<boolean> => {
    print([
      ...list('wrong:', plan.findings),
      ...list('lost after a repair:', plan.losses.length === 0 ? ['nothing'] : plan.losses),
      ...list(`changed or removed, with a copy in ${dir}/${plan.folder}:`, plan.files),
    ]);
    return isWanted || ask(`Repair ${dir}? [y/N] `);
  };
  const { findings, isDone, folder, files } = await repairDirectory(dir, { decide }).catch(
    (error: unknown) => {
      throw error instanceof Failure ? error : directoryFailure(dir, error);
    },
  );
  if (findings.length === 0) print([`there is nothing to repair in ${dir}`]);
  else if (!isDone) throw new Failure('Nothing was changed.');
  else print([`repaired; the originals of ${files.length} files are in ${dir}/${folder}`]);
}

/** Asks on a terminal. Throws a Failure if there is none. */
async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Failure(
      'Nothing was changed: there is no terminal to ask on. Add --yes to repair.',
      EXIT.failed,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`);
}
