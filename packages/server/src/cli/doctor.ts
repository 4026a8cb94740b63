// `octavo doctor`: is a data directory sound? Reads every frame, segment and table and tells what it finds.

import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import { EXIT, Failure, systemReason } from './failure.ts';
import { quietFlag } from './flags.ts';
import { openEngine } from './host.ts';
import { count, progress, seconds } from './progress.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check a data directory that no server is using.')
    .argument('<dir>', 'the data directory')
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action((dir: string, flags: { quiet?: boolean }) => runDoctor(dir, flags.quiet === true));
}

const EXAMPLES = `
Opening the directory does what a start does: it cuts a torn end of the log and rebuilds damaged segments from it.
What is still wrong after that is printed on stdout, one finding a line.

Exit codes: 0 nothing found, 1 something found or the directory cannot be opened.

Example:
  octavo doctor /var/lib/octavo`;

const MB = 1e6;

async function runDoctor(dir: string, quiet: boolean): Promise<void> {
  refuseEmpty(dir);
  const started = performance.now();
  const engine = await openEngine(dir);
  let findings: string[];
  let checked = 0;
  try {
    let shown: ReturnType<typeof progress> | undefined;
    findings = await engine.verify((done, total) => {
      // Both are bytes.
      shown ??= progress({ label: 'checking', total: total / MB, unit: 'MB', quiet });
      checked = done / MB;
      shown.update(Math.round(checked));
    });
    shown?.end();
  } finally {
    await engine.close();
  }
  for (const finding of findings) process.stdout.write(`${finding}\n`);
  if (findings.length > 0) {
    const many = findings.length === 1 ? 'One thing is' : `${count(findings.length)} things are`;
    throw new Failure(`${many} wrong in ${dir}.`, EXIT.failed);
  }
  if (!quiet)
    process.stderr.write(`${dir} is sound: ${checked.toFixed(1)} MB checked in ${seconds(started)} s\n`);
}

/** Opening would make a data directory of any folder; a check must not. */
function refuseEmpty(dir: string): void {
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
