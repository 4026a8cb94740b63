// The `octavo` program: its commands, and the exit code of every outcome.

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

/** Runs a command line (without `node` and the script) and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  handlePipeErrors();
  try {
    const [first = ''] = argv;
    // If the first word is a command, the others need not be loaded.
    const root = await program(Object.hasOwn(COMMANDS, first) ? [first] : undefined);
    await root.parseAsync([...argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** The program with some commands, by default all; docs/reference/cli.md is generated from it. */
export async function program(names: readonly string[] = Object.keys(COMMANDS)): Promise<Command> {
  const root = new Command('octavo')
    .description(
      'Lists, feeds, search and export in one service, over the protocol of OpenSearch and Elasticsearch.',
    )
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Show the help of a command.')
    .showHelpAfterError('(see octavo --help)')
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false })
    .addHelpText('after', EXAMPLES);
  for (const name of names) {
    const make = await COMMANDS[name]!();
    root.addCommand(
      make().helpOption('-h, --help', 'show this help').showHelpAfterError(`(see octavo ${name} --help)`),
    );
  }
  root.hook('preAction', (_root, command) => readSwitches(command));
  for (const command of [root, ...root.commands.flatMap((each) => [each, ...each.commands])]) {
    command.exitOverride();
    command.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'octavo: ')) });
  }
  return root;
}

const EXAMPLES = `
Examples:
  octavo serve --demo                            try it with the synsets of WordNet
  octavo import books.csv --index books          import a file into a running server
  octavo export books > books.ndjson             write its documents to a file
  octavo backup monday.tar                       back up a running server
  octavo doctor data                             check a data directory
  octavo keys create --data data                 create the first API key

Every flag can be set by an environment variable: --cors-origin is OCTAVO_CORS_ORIGIN.
Exit codes: 0 success, 1 failure, 2 a wrong command line.`;

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
  // Checked by name: loading the engine for its class would slow down every `--help`.
  if (error instanceof Error && error.name === 'EngineError') {
    process.stderr.write(`octavo: ${error.message} (${(error as EngineError).type})\n`);
    return EXIT.failed;
  }
  // A defect: a report needs the stack trace.
  process.stderr.write(`octavo: This is a bug, please report it:\n${stackOf(error)}\n`);
  return EXIT.failed;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * `octavo export x | head` ends silently when head has read enough; a full disk behind `>` gives one line.
 */
function handlePipeErrors(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    process.stderr.write(`octavo: the output cannot be written: ${systemReason(error)}.\n`);
    process.exit(EXIT.failed);
  });
  process.stderr.on('error', () => {});
}
