// `octavo migrate`: moves indices and records between stores while they are in use.

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
        'only these indices, such as books,shelves-* (default: all open indices that are not hidden)',
      ).argParser(collectList),
    )
    .addOption(
      flag('--from-key <token>', 'an API key for the source. An Octavo needs one with the scope admin:admin'),
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
        'records: move them while servers write; at the end, writes move from the source to the target',
      ),
    )
    .addOption(
      switchFlag(
        '--reopen',
        'records: cancel a move; the source accepts writes again, and the target refuses them',
      ),
    )
    .addOption(switchFlag('--dry-run', 'print what would be moved, and move nothing'))
    .addOption(quietFlag())
    .addHelpText('after', EXAMPLES)
    .action(runMigrate);
}

const EXAMPLES = `
Source and target: a data directory that no server has open, or the address of an Octavo, OpenSearch or Elasticsearch server.
The address may have credentials: http://user:password@host.

Indices: clients may write to the source during the move. Nothing else may write to the target.
  1. The command copies all documents, with their ids, versions and routing. It then copies new writes, in rounds.
  2. It compares both sides document by document, and repairs differences.
  If the command is killed, run it again, and it continues. After it is complete, another run copies later writes.

To switch from an Octavo, run the command with --follow, point the clients at the target, and press Ctrl-C.
To switch from a cluster, stop its writers, run the command once more, and start the writers on the target: a cluster does not
report deletions.

Records (feeds, chats, users, accounts, keys, events) move between a data directory and PostgreSQL, with --cutover:
  1. The command copies and compares them while servers write.
  2. Writers wait for a moment. The command copies the last changes.
  3. The target accepts writes. The source refuses them with 503 records-moved, and still serves reads.
  If the command is killed before step 3, nothing has changed: run it again.
Without --cutover, stop the servers first. A run beside a server only rehearses the move.

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
