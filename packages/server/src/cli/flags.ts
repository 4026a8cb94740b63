// Flags that commands share, and their environment variables: `--some-flag` is OCTAVO_SOME_FLAG.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, Failure } from './failure.ts';

/** The environment variable of a flag. */
function environmentName(long: string): string {
  return `OCTAVO_${long
    .replace(/^--(no-)?/, '')
    .replaceAll('-', '_')
    .toUpperCase()}`;
}

/** An option with its environment variable. `flags` in commander's syntax: `--port <n>`. */
export function flag(flags: string, description: string, defaultValue?: string | number | boolean): Option {
  const option = new Option(flags, description);
  option.env(environmentName(option.long ?? flags));
  if (defaultValue !== undefined) option.default(defaultValue);
  return option;
}

/** A switch. `readSwitches` parses its variable, since `OCTAVO_DEMO=0` must mean off. */
export function switchFlag(name: string, description: string): Option {
  return new Option(name, `${description} (env: ${environmentName(name)})`);
}

/** Sets the switches that variables turn on and the command line does not set. */
export function readSwitches(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const text = process.env[environmentName(option.long ?? '')];
    if (!option.isBoolean() || text === undefined || command.getOptionValueSource(name) === 'cli') continue;
    if (/^(true|1|yes|on)$/i.test(text)) command.setOptionValueWithSource(name, true, 'env');
    else if (!/^(false|0|no|off|)$/i.test(text)) {
      throw new Failure(
        `${environmentName(option.long ?? '')} is ${text}; it must be true or false.`,
        EXIT.usage,
      );
    }
  }
}

/** A parser of integers within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** `512m`, `4g`, or plain bytes. */
export function byteSize(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,12})([kmg]?)b?$/i.exec(text) ?? [];
  if (number === '') throw new InvalidArgumentError('Give a size such as 512m or 4g.');
  return Number(number) * 1024 ** ' kmg'.indexOf(unit.toLowerCase() || ' ');
}

/** A comma-separated, repeatable flag. */
export function collectList(text: string, before: string[] | undefined): string[] {
  return [
    ...(before ?? []),
    ...text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ];
}

/** A repeatable `Name: value` flag. */
export function collectHeaders(
  text: string,
  before: Record<string, string> | undefined,
): Record<string, string> {
  const colon = text.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('Write it as "Name: value".');
  return { ...before, [text.slice(0, colon).trim().toLowerCase()]: text.slice(colon + 1).trim() };
}

/** An http or https address without trailing slash. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('Give an address such as http://127.0.0.1:9200.');
  }
  return url.href.replace(/\/+$/, '');
}

/** The server that import and export use unless a data directory is named. */
const DEFAULT_URL = 'http://127.0.0.1:9200';

export function urlFlag(): Option {
  return flag('--url <url>', 'the server to call', DEFAULT_URL).argParser(parseUrl);
}

export function headerFlag(): Option {
  return flag('--header <header>', 'a header to send, as "Name: value" (repeatable)').argParser(
    collectHeaders,
  );
}

export function keyFlag(scope: string): Option {
  return flag('--key <token>', `an API key with ${scope}, for the server`);
}

/** The headers to send to a server: those of `--header`, and the key. */
export function sentHeaders({
  header,
  key,
}: {
  readonly header?: Record<string, string>;
  readonly key?: string;
}): Record<string, string> {
  return { ...header, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
}

/** `creates`: the command creates a missing directory. Others refuse it with `requireDataDirectory`. */
export function directFlag({ creates }: { readonly creates: boolean }): Option {
  const made = creates ? '; created if missing' : '';
  return flag(
    '--data <dir>',
    `use this data directory instead of a server${made}. No server may have it open`,
  );
}

/** Without a parser: commander prints values it cannot parse, and an address may contain a password. */
export function recordsFlag(what: string): Option {
  return flag('--records <url>', `${what} in PostgreSQL: postgres://user@host:5432/database`);
}

/** What to do with records that do not match what was noted of them; without these flags they are refused. */
export function recordsRecoveryFlags(): Option[] {
  return [
    switchFlag(
      '--accept-records',
      'accept records that are older than, or different from, the last ones that this server used',
    ),
    switchFlag('--new-records', 'set unusable records aside and start with new ones'),
  ];
}

export function quietFlag(): Option {
  return switchFlag('--quiet', 'print no progress and no summary, only errors');
}
