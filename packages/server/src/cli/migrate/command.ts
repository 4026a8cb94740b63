// `octavo migrate`: how does everything come from one store to another while it is in use?

import { Command } from 'commander';
import { EXIT, Failure } from '../failure.ts';
import { collectHeaders, collectList, flag, quietFlag, switchFlag } from '../flags.ts';
import { untilInterrupted } from '../interrupt.ts';
import { moveDocuments, parseWishes, showDocuments } from './documents.ts';
import { nameOfPlace, openPlace, type Place } from './place.ts';
import { openState } from './state.ts';

interface MigrateFlags {
  readonly from: string;
  readonly to: string;
  readonly index?: string[];
  readonly fromKey?: string;
  readonly toKey?: string;
  readonly fromHeader?: Record<string, string>;
  readonly toHeader?: Record<string, string>;
  readonly settings?: string;
  readonly state: string;
  readonly overwrite?: boolean;
  readonly follow?: boolean;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Move collections to another store and back, while they are written to.')
    .addOption(
      flag(
        '--from <place>',
        'where they are: a data directory, or http(s)://… of a server',
      ).makeOptionMandatory(),
    )
    .addOption(flag('--to <place>', 'where they go: the same').makeOptionMandatory())
    .addOption(
      flag(
        '--index <names>',
        'only these collections, by commas; with * (default: all that are open and not hidden)',
      ).argParser(collectList),
    )
    .addOption(flag('--from-key <token>', 'an API key for the source (admin:admin where it is an Octavo)'))
    .addOption(flag('--to-key <token>', 'an API key for the target'))
    .addOption(
      flag('--from-header <header>', 'a header for the source, as "Name: value" (repeatable)').argParser(
        collectHeaders,
      ),
    )
    .addOption(flag('--to-header <header>', 'the same for the target').argParser(collectHeaders))
    .addOption(flag('--settings <json>', 'settings at the target: {"number_of_shards":3}'))
    .addOption(flag('--state <file>', 'where the state of the move is kept', 'octavo-migrate.json'))
    .addOption(
      switchFlag(
        '--overwrite',
        'take collections of the target that hold documents: they end as the source is',
      ),
    )
    .addOption(switchFlag('--follow', 'go on carrying what is written until this is stopped'))
    .addOption(switchFlag('--dry-run', 'say what would be moved, and move nothing'))
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action(runMigrate);
}

const EXAMPLES = `
A place is a data directory that no server has open, or the address of an Octavo, an OpenSearch or an Elasticsearch;
http://user:password@host sends these. Documents keep their ids, versions and routing.

The source is used meanwhile: what is written to it is carried in rounds, each smaller than the last. Then both sides are
compared document by document, and what differs is mended. After a kill at any moment the same command goes on. When it
is done it can be run again, and carries what was written since. Only this command may write to the target until then.

To switch without a gap from an Octavo: --follow, switch the clients, Ctrl-C. A cluster does not tell of deletions: stop
its writers, run the command once more, and start them on the target.

Examples:
  octavo migrate --from http://127.0.0.1:9200 --from-key "$KEY" --to https://search.internal:9200 --follow
  octavo migrate --from https://search.internal:9200 --to ./data --index 'books,shelves-*'
  octavo migrate --from ./data --to http://127.0.0.1:9201 --dry-run`;

async function runMigrate(flags: MigrateFlags): Promise<void> {
  const [from, to] = [nameOfPlace(flags.from), nameOfPlace(flags.to)];
  if (from === to) throw new Failure('--from and --to are the same place.', EXIT.usage);
  const wishes = parseWishes(flags.settings);
  const interrupted = untilInterrupted();
  let source: Place | undefined;
  let target: Place | undefined;
  try {
    source = await openPlace(flags.from, { role: 'from', key: flags.fromKey, headers: flags.fromHeader });
    target = await openPlace(flags.to, { role: 'to', key: flags.toKey, headers: flags.toHeader });
    const both = { source, target, wanted: flags.index };
    if (flags.dryRun === true) return await showDocuments(both);
    const file = openState(flags.state, { from, to, index: flags.index ?? [] });
    await moveDocuments({
      ...both,
      file,
      wishes,
      overwrite: flags.overwrite === true,
      follow: flags.follow === true,
      quiet: flags.quiet,
      signal: interrupted.signal,
    });
  } finally {
    await target?.close();
    await source?.close();
    interrupted.stop();
  }
}
