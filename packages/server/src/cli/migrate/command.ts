// `octavo migrate`: moves collections and records between stores while they are in use.

import { Command } from 'commander';
import { EXIT, Failure } from '../failure.ts';
import { collectHeaders, collectList, flag, quietFlag, switchFlag } from '../flags.ts';
import { listenForInterrupts } from '../process/interrupt.ts';
import { type Endpoint, endpointName, isSameEndpoint, openEndpoint } from './endpoint.ts';
import { moveDocuments, parseTargetSettings, previewDocuments } from './move-documents.ts';
import { giveUpMove, moveRecordsOnce, recordsEnds, recordsName } from './move-records.ts';
import { openMoveState } from './move-state.ts';

interface MigrateFlags {
  readonly from?: string;
  readonly to?: string;
  readonly recordsFrom?: string;
  readonly recordsTo?: string;
  readonly index?: string[];
  readonly fromKey?: string;
  readonly toKey?: string;
  readonly fromHeader?: Record<string, string>;
  readonly toHeader?: Record<string, string>;
  readonly settings?: string;
  readonly state: string;
  readonly overwrite?: boolean;
  readonly follow?: boolean;
  readonly cutover?: boolean;
  readonly reopen?: boolean;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Move indices and records between stores while they are in use.')
    .addOption(flag('--from <place>', 'the source: a data directory, or the http(s):// address of a server'))
    .addOption(flag('--to <place>', 'the target, in the same form'))
    .addOption(
      flag(
        '--index <names>',
        'only these indices, such as books,shelves-* (default: all that are open and not hidden)',
      ).argParser(collectList),
    )
    .addOption(
      flag('--from-key <token>', 'an API key for the source; for an Octavo one with the scope admin:admin'),
    )
    .addOption(flag('--to-key <token>', 'an API key for the target'))
    .addOption(
      flag('--from-header <header>', 'a header for the source, as "Name: value" (repeatable)').argParser(
        collectHeaders,
      ),
    )
    .addOption(
      flag('--to-header <header>', 'a header for the target, in the same form').argParser(collectHeaders),
    )
    .addOption(
      flag(
        '--records-from <place>',
        'the source of records: a data directory, or postgres://… (default: --from, if that is a directory)',
      ),
    )
    .addOption(flag('--records-to <place>', 'the target of records, in the same form'))
    .addOption(
      flag('--settings <json>', 'settings of new indices at the target, such as {"number_of_shards":3}'),
    )
    .addOption(flag('--state <file>', 'the file that stores the state of the move', 'octavo-migrate.json'))
    .addOption(
      switchFlag(
        '--overwrite',
        'overwrite indices of the target that contain documents; they become equal to the source',
      ),
    )
    .addOption(switchFlag('--follow', 'keep copying new writes until stopped'))
    .addOption(
      switchFlag(
        '--cutover',
        'records: follow the writes of servers, then refuse writes at the source and accept them at the target',
      ),
    )
    .addOption(
      switchFlag(
        '--reopen',
        'records: undo a move: accept writes at the source again and refuse them at the target',
      ),
    )
    .addOption(switchFlag('--dry-run', 'print what would be moved, and move nothing'))
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action(runMigrate);
}

const EXAMPLES = `
Source and target are each a data directory that no server has open, or the address of an Octavo, OpenSearch or Elasticsearch
server. http://user:password@host sends these credentials. Documents keep their ids, versions and routing.

The source stays in use: new writes are copied in rounds, each smaller than the one before. Then both sides are compared
document by document, and differences are repaired. If the command is killed, run it again: it continues. After it is complete,
a further run copies what was written since. As long as you run it, nothing else may write to the target.

Records (feeds, chats, the ledger, keys, users, events) move between a data directory and PostgreSQL. With --cutover, servers
may write to them all the time. The command copies and compares everything, and follows the changes. For the last changes, writers
wait a moment. Then the target accepts writes; the source refuses them with 503 records-moved, and still serves reads. If the
command is killed before that, nothing has changed: run it again. Without --cutover, a run beside a server is a rehearsal.

To switch from an Octavo without a gap, use --follow, switch the clients, and press Ctrl-C. A cluster does not report deletions:
stop its writers, run the command once more, and start the writers on the target.

Examples:
  octavo migrate --from http://127.0.0.1:9200 --from-key "$KEY" --to https://search.internal:9200 --follow
  octavo migrate --from https://search.internal:9200 --to ./data --index 'books,shelves-*'
  octavo migrate --records-from ./data --records-to postgres://octavo@db.internal/octavo --cutover
  octavo migrate --from ./data --to http://127.0.0.1:9201 --dry-run`;

async function runMigrate(flags: MigrateFlags): Promise<void> {
  const records = recordsEnds(flags);
  const documents = documentPlaces(flags);
  if (documents === undefined && records === undefined)
    throw new Failure(
      'Name what to move: --from and --to, --records-from and --records-to, or all four.',
      EXIT.usage,
    );
  if (records === undefined && (flags.cutover === true || flags.reopen === true))
    throw new Failure('--cutover and --reopen are for records: --records-from and --records-to.', EXIT.usage);
  if (flags.reopen === true) requireReopenAlone(flags);
  const targetSettings = parseTargetSettings(flags.settings);
  const interrupted = listenForInterrupts();
  const identity = {
    from: endpointName(documents?.from ?? ''),
    to: endpointName(documents?.to ?? ''),
    index: flags.index ?? [],
    recordsFrom: recordsName(records?.from ?? ''),
    recordsTo: recordsName(records?.to ?? ''),
  };
  const given = {
    overwrite: flags.overwrite === true,
    quiet: flags.quiet,
    signal: interrupted.signal,
  };
  try {
    if (flags.dryRun === true) {
      if (documents !== undefined)
        await withPlaces(flags, documents, (endpoints) =>
          previewDocuments({ ...endpoints, wanted: flags.index }),
        );
      if (records !== undefined)
        process.stdout.write(`records of ${identity.recordsFrom} to ${identity.recordsTo}\n`);
      return;
    }
    if (flags.reopen === true) {
      if (records === undefined || documents !== undefined)
        throw new Failure('--reopen takes --records-from and --records-to, and moves nothing.', EXIT.usage);
      const again = await giveUpMove(records, given.overwrite);
      process.stderr.write(
        again
          ? `records of ${identity.recordsFrom} accept writes there again\n`
          : `records of ${identity.recordsFrom} had never moved: nothing was changed\n`,
      );
      return;
    }
    const file = openMoveState(flags.state, identity);
    if (records !== undefined)
      await moveRecordsOnce({ ...given, interrupted, ends: records, file, cutover: flags.cutover === true });
    if (documents === undefined) return;
    interrupted.shield(false);
    await withPlaces(flags, documents, (endpoints) =>
      moveDocuments({
        ...given,
        ...endpoints,
        file,
        wanted: flags.index,
        targetSettings,
        follow: flags.follow === true,
      }),
    );
  } finally {
    interrupted.stop();
  }
}

function requireReopenAlone({ cutover, dryRun, follow }: MigrateFlags): void {
  const other =
    cutover === true ? '--cutover' : dryRun === true ? '--dry-run' : follow === true ? '--follow' : undefined;
  if (other !== undefined)
    throw new Failure(`--reopen undoes a move, and ${other} makes one: give only one of them.`, EXIT.usage);
}

/** Undefined if only records move. */
function documentPlaces({
  from,
  to,
  recordsFrom,
  recordsTo,
}: MigrateFlags): { from: string; to: string } | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined || to === undefined) {
    // A single directory may be one side of the records.
    if (recordsFrom !== undefined || recordsTo !== undefined) return undefined;
    throw new Failure(`--${from === undefined ? 'from' : 'to'} is missing.`, EXIT.usage);
  }
  if (endpointName(from) === endpointName(to)) throw new Failure('--from and --to are the same.', EXIT.usage);
  return { from, to };
}

async function withPlaces(
  flags: MigrateFlags,
  { from, to }: { readonly from: string; readonly to: string },
  use: (endpoints: { source: Endpoint; target: Endpoint }) => Promise<void>,
): Promise<void> {
  const source = await openEndpoint(from, { role: 'from', key: flags.fromKey, headers: flags.fromHeader });
  try {
    const target = await openEndpoint(to, {
      role: 'to',
      key: flags.toKey,
      headers: flags.toHeader,
      dryRun: flags.dryRun,
    });
    try {
      if (await isSameEndpoint(source, target))
        throw new Failure('--from and --to are two names of the same store.', EXIT.usage);
      await use({ source, target });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
