// Which flags do commands share, and which environment variable stands for each? `--some-flag` is OCTAVO_SOME_FLAG.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, Failure } from './failure.ts';

/** The variable that a long flag is read from when it is not given. */
export function environmentName(long: string): string {
  return `OCTAVO_${long
    .replace(/^--(no-)?/, '')
    .replaceAll('-', '_')
    .toUpperCase()}`;
}

/** An option with its environment variable. `flags` as commander reads them: `--port <n>`. */
export function flag(flags: string, description: string, defaultValue?: string | number | boolean): Option {
  const option = new Option(flags, description);
  option.env(environmentName(option.long ?? flags));
  if (defaultValue !== undefined) option.default(defaultValue);
  return option;
}

/** A switch. Its variable is read as a word by `readSwitches`, since `OCTAVO_DEMO=0` must mean off. */
export function switchFlag(name: string, description: string): Option {
  return new Option(name, `${description} (env: ${environmentName(name)})`);
}

/** Sets the switches of a command that its variables turn on and the command line does not mention. */
export function readSwitches(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const text = process.env[environmentName(option.long ?? '')];
    if (!option.isBoolean() || text === undefined || command.getOptionValueSource(name) === 'cli') continue;
    if (/^(true|1|yes|on)$/i.test(text)) command.setOptionValueWithSource(name, true, 'env');
    else if (!/^(false|0|no|off|)$/i.test(text)) {
      throw new Failure(`${environmentName(option.long ?? '')} is ${text}; say true or false.`, EXIT.usage);
    }
  }
}

/** A whole number within bounds. */
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

/** Comma-separated, and the flag may be repeated. */
export function collectList(text: string, before: string[] | undefined): string[] {
  return [
    ...(before ?? []),
    ...text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ];
}

/** `Name: value`; the flag may be repeated. */
export function collectHeaders(
  text: string,
  before: Record<string, string> | undefined,
): Record<string, string> {
  const colon = text.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('Write it as "Name: value".');
  return { ...before, [text.slice(0, colon).trim().toLowerCase()]: text.slice(colon + 1).trim() };
}

/** An http or https address, without a slash at its end. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('Give an address such as http://127.0.0.1:9200.');
  }
  return url.href.replace(/\/+$/, '');
}

/** The server that import and export talk to when no data directory is named. */
export const DEFAULT_URL = 'http://127.0.0.1:9200';

export function urlFlag(): Option {
  return flag('--url <url>', 'the server to talk to', DEFAULT_URL).argParser(parseUrl);
}

export function headerFlag(): Option {
  return flag('--header <header>', 'a header to send, as "Name: value" (repeatable)').argParser(
    collectHeaders,
  );
}

export function directFlag(): Option {
  return flag('--data <dir>', 'work in this data directory instead of over HTTP (no server may be using it)');
}

/** No parser: what commander cannot read it prints, and an address may hold a password. */
export function recordsFlag(what: string): Option {
  return flag('--records <url>', `${what} in a PostgreSQL: postgres://user@host:5432/database`);
}

/** What to do with records that are not as they were noted; without them such records are refused. */
export function recordsRecoveryFlags(): Option[] {
  return [
    switchFlag('--accept-records', 'go on with records that are behind or others than those that were here'),
    switchFlag('--new-records', 'set records that are lost aside, and begin new ones'),
  ];
}

export function quietFlag(): Option {
  return switchFlag('--quiet', 'no progress and no summary; errors are still told');
}
