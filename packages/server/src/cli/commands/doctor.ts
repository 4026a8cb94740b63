// `octavo doctor`: is a data directory sound, or records on a PostgreSQL? Reads every frame, segment and table and tells what
// it finds.

import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import { noteOf, ownNoteOf } from '../../records-notes.ts';
import { EXIT, Failure, systemReason } from '../failure.ts';
import { quietFlag, recordsFlag } from '../flags.ts';
import { elapsedSeconds, formatCount, startProgress } from '../io/progress.ts';
import { openEngine } from '../open-stores.ts';
import { checkRecords } from './doctor-records.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check a data directory that no server is using, or records on a PostgreSQL.')
    .argument(
      '[dir]',
      'the data directory; with --records it may be left out: then the records alone are checked',
    )
    .addOption(recordsFlag('records to check as well, those'))
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action(async (dir: string | undefined, flags: { quiet?: boolean; records?: string }) => {
      const { records, quiet = false } = flags;
      if (dir !== undefined) await runDoctor(dir, records, quiet);
      else if (records !== undefined) await checkRecordsOnly(records, quiet);
      else
        throw new Failure(
          'Name a data directory, or records with --records postgres://user@host:5432/database.',
          EXIT.usage,
        );
    });
}

/** Where documents are in a cluster, there is no data directory. Servers may have these records open meanwhile. */
async function checkRecordsOnly(url: string, quiet: boolean): Promise<void> {
  const started = performance.now();
  const { findings, head, transfers } = await checkRecords('', url);
  for (const finding of findings) process.stdout.write(`${finding}\n`);
  if (findings.length > 0)
    throw new Failure(`${things(findings.length, 'is', 'are')} wrong in the records. ${DATABASE_CURE}`);
  if (quiet) return;
  printJournalHead(head, transfers);
  process.stderr.write(`the records are sound: checked in ${elapsedSeconds(started)} s\n`);
}

function printJournalHead(head: string | undefined, transfers: number): void {
  if (head !== undefined)
    process.stderr.write(`the journal has ${formatCount(transfers)} transfers up to ${head}\n`);
}

const EXAMPLES = `
Opening the directory does what a start does: it cuts a torn end of the log and makes damaged segments again from it.
Both are told like everything else that is wrong: on stdout, one finding a line, each with the file it is about.

Exit codes: 0 nothing found, 1 something found or what is to be checked cannot be opened.

Examples:
  octavo doctor /var/lib/octavo
  octavo doctor --records postgres://octavo@db.internal/octavo     the journal and the balances, beside running servers`;

const MB = 1e6;

async function runDoctor(dir: string, url: string | undefined, quiet: boolean): Promise<void> {
  requireDataDirectory(dir);
  const started = performance.now();
  const mended: string[] = [];
  const engine = await openEngine(dir, {}, (note) => mended.push(note));
  let findings: string[];
  let checked = 0;
  const note = url === undefined ? ownNoteOf(engine.settings) : noteOf(engine.settings);
  try {
    let shown: ReturnType<typeof startProgress> | undefined;
    findings = await engine.verify((done, total) => {
      // Both are bytes.
      shown ??= startProgress({ label: 'checking', total: total / MB, unit: 'MB', quiet });
      checked = done / MB;
      shown.update(Math.round(checked));
    });
    shown?.end();
  } finally {
    await engine.close();
  }
  const records = await checkRecords(dir, url, note);
  // What the start has found and could not mend is found again.
  const all = [...new Set([...mended, ...findings])];
  for (const finding of [...all, ...records.findings]) process.stdout.write(`${finding}\n`);
  if (records.findings.length > 0) {
    const many = findings.length + records.findings.length;
    throw new Failure(`${things(many, 'is', 'are')} wrong in ${dir}. ${RECORDS_CURE}`);
  }
  if (findings.length > 0)
    throw new Failure(`${things(findings.length, 'is', 'are')} wrong in ${dir}. ${CURE}`);
  if (all.length > 0) {
    throw new Failure(`${things(all.length, 'was', 'were')} wrong in ${dir}. ${mendedAs(all)}`);
  }
  if (quiet) return;
  printJournalHead(records.head, records.transfers);
  process.stderr.write(`${dir} is sound: ${checked.toFixed(1)} MB checked in ${elapsedSeconds(started)} s\n`);
}

const CURE =
  'What lies there cannot be made again: restore the directory from a copy, or write these documents again.';

const RECORDS_CURE =
  'Records cannot be made again: restore the directory from a copy, or find out who has changed them.';

const DATABASE_CURE =
  'Records cannot be made again: restore the database from a copy, or find out who has changed them.';

/** A last append that cannot be read looks the same whether the power or the disk is to blame. */
function mendedAs(notes: readonly string[]): string {
  if (!notes.some((note) => note.includes(': torn, '))) return 'It is mended: nothing is left to do.';
  return 'It is mended; where the process did not end in the middle of it, write again what was written last.';
}

function things(many: number, one: string, more: string): string {
  return many === 1 ? `One thing ${one}` : `${formatCount(many)} things ${more}`;
}

/** Opening would make a data directory of any folder; a check must not. */
function requireDataDirectory(dir: string): void {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    throw new Failure(`${dir} cannot be checked: ${systemReason(error)}.`);
  }
  if (names.length === 0) throw new Failure(`${dir} is empty: there is nothing to check.`);
  if (!names.includes('catalog')) {
    throw new Failure(`${dir} is not a data directory: there is no catalog in it.`);
  }
}
