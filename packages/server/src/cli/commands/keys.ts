// `octavo keys`: creates, lists, rotates and revokes API keys, in an unused data directory, in a PostgreSQL,
// or on a running server. Secrets are printed once, on stdout, and not stored.

import { Command, InvalidArgumentError } from 'commander';
import type { KeyView, NewKeyView } from '../../api/keys/key-view.ts';
import { Failure } from '../failure.ts';
import {
  collectList,
  directFlag,
  flag,
  keyFlag,
  recordsFlag,
  recordsRecoveryFlags,
  sentHeaders,
  switchFlag,
  urlFlag,
  wholeNumber,
} from '../flags.ts';
import { HttpClient } from '../io/http-client.ts';

interface KeysTarget {
  readonly data?: string;
  readonly records?: string;
  readonly acceptRecords?: boolean;
  readonly newRecords?: boolean;
  readonly url: string;
  readonly key?: string;
  readonly json?: boolean;
}

interface CreateFlags extends KeysTarget {
  readonly name: string;
  readonly scope?: string[];
  readonly index?: string[];
  readonly filter?: Record<string, unknown>;
  readonly rate?: { quota: number; windowSeconds: number };
  readonly expires?: string;
}

export function keysCommand(): Command {
  const keys = new Command('keys')
    .helpCommand('help [command]', 'Show the help of a command.')
    .description('Create, list, rotate and revoke API keys.')
    .addHelpText('after', EXAMPLES);
  const add = (command: Command): Command => {
    const [accept, anew] = recordsRecoveryFlags();
    command
      .addOption(directFlag({ creates: command.name() === 'create' }))
      .addOption(recordsFlag('keys'))
      .addOption(accept!)
      .addOption(anew!)
      .addOption(urlFlag())
      .addOption(keyFlag('the scope keys:write'))
      .addOption(switchFlag('--json', 'print JSON, one object per line'))
      .helpOption('-h, --help', 'show this help')
      .showHelpAfterError(`(see octavo keys ${command.name()} --help)`);
    keys.addCommand(command);
    return command;
  };
  add(new Command('create').description('Create a key and print it, once.'))
    .addOption(flag('--name <name>', 'the name of the key', 'first'))
    .addOption(
      flag('--scope <scopes>', 'the scopes of the key (repeatable; default: *, all)').argParser(collectList),
    )
    .addOption(
      flag(
        '--index <patterns>',
        'the indices that it may use, such as books* (repeatable; default: all)',
      ).argParser(collectList),
    )
    .addOption(
      flag('--filter <query>', 'a query; the key sees only documents that match it').argParser(queryText),
    )
    .addOption(
      flag('--rate <n/seconds>', 'the rate limit of the key, cost per seconds, such as 600/60').argParser(
        rateText,
      ),
    )
    .addOption(
      flag('--expires <time>', 'the time at which it expires, such as 2030-01-01T00:00:00Z (default: never)'),
    )
    .action(create);
  add(new Command('list').description('List all keys, including revoked and expired ones.')).action(list);
  // Ids of older versions may start with a dash. A misspelt option is then reported as an excess argument.
  add(new Command('rotate').description('Issue a new secret for a key and print it, once.'))
    .argument('<id>', 'the id of the key')
    .allowUnknownOption()
    .addOption(
      flag('--grace <seconds>', 'seconds for which the old secret stays valid', 3_600).argParser(
        wholeNumber(0, 2_592_000),
      ),
    )
    .action(rotate);
  add(new Command('revoke').description('Revoke a key immediately and permanently.'))
    .argument('<id>', 'the id of the key')
    .allowUnknownOption()
    .action(revoke);
  return keys;
}

const EXAMPLES = `
As soon as there is a key, every request needs one. Without --data and --records, the command calls the server at --url.

Examples:
  octavo keys create --data data                                   the first key, with all rights
  octavo keys create --key "$KEY" --name shop --scope search:read --index 'books*'
  octavo keys list --key "$KEY"
  octavo keys revoke 2pXgS0... --data data`;

async function create(flags: CreateFlags): Promise<void> {
  const body = {
    name: flags.name,
    scopes: flags.scope ?? ['*'],
    ...(flags.index === undefined ? {} : { index_patterns: flags.index }),
    ...(flags.filter === undefined ? {} : { document_filter: flags.filter }),
    ...(flags.rate === undefined
      ? {}
      : { rate: { quota: flags.rate.quota, window_seconds: flags.rate.windowSeconds } }),
    ...(flags.expires === undefined ? {} : { expires_at: flags.expires }),
  };
  printNew(await ask<NewKeyView>(flags, 'POST', '', body), flags);
}

async function list(flags: KeysTarget): Promise<void> {
  for (let path = ''; ; ) {
    const { items, next } = await ask<{ items: KeyView[]; next?: string }>(flags, 'GET', path);
    if (path === '' && items.length === 0 && flags.json !== true)
      process.stderr.write('There are no keys.\n');
    for (const key of items) process.stdout.write(`${flags.json ? JSON.stringify(key) : line(key)}\n`);
    if (next === undefined) return;
    path = `?next_token=${next}`;
  }
}

async function rotate(id: string, flags: KeysTarget & { grace: number }): Promise<void> {
  const path = `/${encodeURIComponent(id)}/rotate`;
  printNew(await ask<NewKeyView>(flags, 'POST', path, { grace_seconds: flags.grace }), flags);
}

async function revoke(id: string, flags: KeysTarget): Promise<void> {
  const key = await ask<KeyView>(flags, 'DELETE', `/${encodeURIComponent(id)}`);
  process.stdout.write(`${flags.json ? JSON.stringify(key) : line(key)}\n`);
}

function printNew(made: NewKeyView, { json }: KeysTarget): void {
  if (json === true) {
    process.stdout.write(`${JSON.stringify(made)}\n`);
    return;
  }
  process.stderr.write(`key ${made.key.id} (${made.key.name}); its secret is shown only once:\n`);
  process.stdout.write(`${made.token}\n`);
}

function line(key: KeyView): string {
  const state =
    key.revoked_at !== undefined
      ? `revoked ${key.revoked_at}`
      : key.expires_at === undefined
        ? 'valid'
        : `until ${key.expires_at}`;
  return [key.id, key.name, key.scopes.join(','), (key.index_patterns ?? ['*']).join(','), state].join('\t');
}

/** One exchange with `/api/keys` of a running server, or the same on its records. */
async function ask<Result>(place: KeysTarget, method: string, path: string, body?: object): Promise<Result> {
  if (place.data !== undefined || place.records !== undefined) {
    const { runOnRecords } = await import('./keys-offline.ts');
    const { data = '', records, acceptRecords, newRecords } = place;
    return (await runOnRecords({ data, records, acceptRecords, newRecords }, method, path, body)) as Result;
  }
  const client = new HttpClient(place.url, sentHeaders(place));
  try {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await client.send(method, `/api/keys${path}`, text);
    const parsed = JSON.parse(answer.body.toString('utf8')) as Result & { detail?: string };
    if (answer.status < 300) return parsed;
    throw new Failure(parsed.detail ?? `The server answered ${answer.status}.`);
  } finally {
    client.close();
  }
}

function queryText(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError('Give a query as JSON, such as \'{"term":{"shop":"a"}}\'.');
}

function rateText(text: string): { quota: number; windowSeconds: number } {
  const match = /^(\d{1,9})\/(\d{1,6})$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError('Give a rate such as 600/60: a cost per number of seconds.');
  return { quota: Number(match[1]), windowSeconds: Number(match[2]) };
}
