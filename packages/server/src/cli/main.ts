// What can be typed after `octavo`? The program with its commands; turns every end into an exit code.

import { readFileSync } from 'node:fs';
import type { EngineError } from '@octavo/engine';
import { Command, CommanderError } from 'commander';
import { EXIT, Failure, systemReason } from './failure.ts';
import { readSwitches } from './flags.ts';

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<() => Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  migrate: async () => (await import('./migrate/command.ts')).migrateCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
};

/** Runs one command line (without `node` and the script) and gives the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  handlePipeErrors();
  try {
    const [first = ''] = argv;
    // A line that begins with a command means that one: the others need not be loaded.
    const root = await program(Object.hasOwn(COMMANDS, first) ? [first] : undefined);
    await root.parseAsync([...argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** The command line with these commands, by default all; also what docs/reference/cli.md is made from. */
export async function program(names: readonly string[] = Object.keys(COMMANDS)): Promise<Command> {
  const root = new Command('octavo')
    .description('A listing and search service that speaks the OpenSearch wire protocol.')
    .version(version(), '-V, --version', 'the version of this program')
    .helpOption('-h, --help', 'help for a command')
    .showHelpAfterError('(octavo --help tells what there is)')
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false })
    .addHelpText('after', EXAMPLES);
  for (const name of names) {
    const make = await COMMANDS[name]!();
    root.addCommand(make().helpOption('-h, --help', 'this text').showHelpAfterError('(--help tells more)'));
  }
  root.hook('preAction', (_root, command) => readSwitches(command));
  for (const command of [root, ...root.commands.flatMap((each) => [each, ...each.commands])]) {
    command.exitOverride();
  }
  return root;
}

const EXAMPLES = `
Examples:
  octavo serve --demo                            try it with the synsets of WordNet
  octavo import books.csv --index books          put a file into a running server
  octavo export books > books.ndjson             get it out again
  octavo backup monday.tar                       save everything of a running server
  octavo doctor data                             check a data directory
  octavo keys create --data data                 make the first API key

Every flag can be set by a variable of the environment: --cors-origin is OCTAVO_CORS_ORIGIN.
Exit codes: 0 all well, 1 it did not work, 2 the command line was wrong.`;

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof Failure) {
    process.stderr.write(`octavo: ${error.message}\n`);
    return error.exitCode;
  }
  // By name: loading the engine for its class would slow down every `--help`.
  if (error instanceof Error && error.name === 'EngineError') {
    process.stderr.write(`octavo: ${error.message} (${(error as EngineError).type})\n`);
    return EXIT.failed;
  }
  // Anything else is a fault of ours: the stack is what a report needs.
  process.stderr.write(`octavo: this should not have happened, please report it:\n${stackOf(error)}\n`);
  return EXIT.failed;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** `octavo export x | head` ends when head has seen enough, without a word; a full disk behind `>` is one line. */
function handlePipeErrors(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    process.stderr.write(`octavo: what was printed cannot be written: ${systemReason(error)}.\n`);
    process.exit(EXIT.failed);
  });
  process.stderr.on('error', () => {});
}
