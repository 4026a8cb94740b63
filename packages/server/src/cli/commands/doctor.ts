// `octavo doctor`: reads every frame, segment and table of a data directory, or records on a PostgreSQL, and
// prints what is wrong. With `--repair` it repairs the documents (doctor-repair.ts).

import type { NoteAbout } from '@octavo/engine';
import { Command } from 'commander';
import { readEmbeddedNote, readRecordsNote } from '../../records-notes.ts';
import { EXIT, Failure } from '../failure.ts';
import { quietFlag, recordsFlag, switchFlag } from '../flags.ts';
import { elapsedSeconds, formatCount, startProgress } from '../io/progress.ts';
import { openEngine, requireDataDirectory } from '../open-stores.ts';
import { checkRecords } from './doctor-records.ts';
import { repairDocuments } from './doctor-repair.ts';

interface DoctorFlags {
  readonly quiet?: boolean;
  readonly records?: string;
  readonly repair?: boolean;
  readonly yes?: boolean;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check an unused data directory, or records on PostgreSQL.')
    .argument('[dir]', 'the data directory; without it, only the records of --records are checked')
    .addOption(recordsFlag('also check the records'))
    .addOption(
      switchFlag(
        '--repair',
        'repair a directory on which a server does not start; first says what will be lost',
      ),
    )
    .addOption(switchFlag('--yes', 'with --repair: do not ask'))
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action(async (dir: string | undefined, flags: DoctorFlags) => {
      const { records, quiet = false, repair = false, yes = false } = flags;
      if (repair && dir === undefined)
        throw new Failure('--repair repairs a data directory: name it.', EXIT.usage);
      if (dir !== undefined) {
        requireDataDirectory(dir);
        if (repair) await repairDocuments(dir, yes);
        await runDoctor(dir, records, quiet);
      } else if (records !== undefined) await checkRecordsOnly(records, quiet);
      else
        throw new Failure(
          'Name a data directory, or records with --records postgres://user@host:5432/database.',
          EXIT.usage,
        );
    });
}

/** For documents in a cluster there is no data directory. Servers may have these records open meanwhile. */
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
    process.stderr.write(`the journal has ${formatCount(transfers, 'transaction')} up to ${head}\n`);
}

const EXAMPLES = `
The check opens the directory as a server does, which repairs a torn end of the log and damaged segments. These repairs and all
other findings are printed on stdout, one per line, each with its file.

--repair is for a directory on which a server does not start, and for damage that no start repairs. It first prints what will be
lost, and asks; without a terminal it needs --yes. It keeps everything that can be read. Documents with damaged bytes are deleted.
Documents of an index whose name is lost are moved to the index recovered-NUMBER. All files that it changes are copied to
before-repair-TIME in the directory. It does not repair records (feeds, chats, accounts, keys): see serve --accept-records.

Exit codes: 0 nothing found; 1 something found, or the directory or the records cannot be opened.

Examples:
  octavo doctor /var/lib/octavo
  octavo doctor /var/lib/octavo --repair
  octavo doctor --records postgres://octavo@db.internal/octavo     the journal and the balances, beside running servers`;

const MB = 1e6;

async function runDoctor(dir: string, url: string | undefined, quiet: boolean): Promise<void> {
  const started = performance.now();
  const notes: { line: string; about: NoteAbout | undefined }[] = [];
  const engine = await openEngine(dir, {}, (line, about) => void notes.push({ line, about }));
  let findings: string[];
  let checked = 0;
  const note = url === undefined ? readEmbeddedNote(engine.settings) : readRecordsNote(engine.settings);
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
  // What the start found but could not repair is found again.
  const { withoutRepeats } = await import('@octavo/engine');
  const all = [...new Set([...withoutRepeats(notes, findings), ...findings])];
  for (const finding of [...all, ...records.findings]) process.stdout.write(`${finding}\n`);
  if (records.findings.length > 0) {
    const many = findings.length + records.findings.length;
    throw new Failure(`${things(many, 'is', 'are')} wrong in ${dir}. ${RECORDS_CURE}`);
  }
  if (findings.length > 0)
    throw new Failure(`${things(findings.length, 'is', 'are')} wrong in ${dir}. ${CURE}`);
  if (all.length > 0) {
    throw new Failure(
      `${things(all.length, 'was', 'were')} wrong in ${dir}. ${mendedAs(notes.some(({ about }) => about?.kind === 'torn'))}`,
    );
  }
  if (quiet) return;
  printJournalHead(records.head, records.transfers);
  process.stderr.write(`${dir} is sound: ${checked.toFixed(1)} MB checked in ${elapsedSeconds(started)} s\n`);
}

const CURE =
  'The data cannot be rebuilt: restore the directory from a backup, write these documents again, or give them up with octavo doctor --repair.';

const RECORDS_CURE =
  'Records cannot be rebuilt: restore the directory from a backup, or find out who changed them.';

const DATABASE_CURE =
  'Records cannot be rebuilt: restore the database from a backup, or find out who changed them.';

/** An unreadable last append looks the same whether power or disk failed. */
function mendedAs(isTorn: boolean): string {
  if (!isTorn) return 'It is repaired: nothing is left to do.';
  return 'It is repaired. Unless the process was killed during the last write, repeat that write.';
}

function things(many: number, one: string, more: string): string {
  return many === 1 ? `One thing ${one}` : `${formatCount(many)} things ${more}`;
}
