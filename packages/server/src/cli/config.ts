// Configuration files: flags by their long names, in YAML (JSON is YAML too). They apply if neither the
// command line nor the environment sets the flag.
//
//   port: 9201
//   cors-origin: [https://app.example, https://admin.example]
//   limit: { pageSize: 50000 }

import { readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { parse, YAMLParseError } from 'yaml';
import { EXIT, Failure, systemReason } from './failure.ts';

/** Sets the flags of a command from a file. Throws a Failure that names the file and the line or flag. */
export function readConfig(command: Command, file: string): void {
  const settings = parseFile(file);
  const byName = new Map(command.options.map((option) => [option.long?.replace(/^--/, '') ?? '', option]));
  byName.delete('config');
  for (const [name, value] of Object.entries(settings)) {
    const option = byName.get(name);
    if (option === undefined) {
      throw configFailure(file, `Unknown setting ${name}; known are ${[...byName.keys()].join(', ')}.`);
    }
    const source = command.getOptionValueSource(option.attributeName());
    if (source === 'cli' || source === 'env') continue;
    command.setOptionValueWithSource(option.attributeName(), settingOf(option, value, name, file), 'config');
  }
}

function parseFile(file: string): Record<string, unknown> {
  let settings: unknown;
  try {
    settings = parse(readFileSync(file, 'utf8'), { maxAliasCount: 0 });
  } catch (error) {
    if (!(error instanceof YAMLParseError)) {
      throw new Failure(`The configuration ${file} cannot be read: ${systemReason(error)}.`, EXIT.usage);
    }
    throw configFailure(file, (error.message.split('\n', 1)[0] ?? error.message).replace(/:$/, '.'));
  }
  if (settings === null) return {};
  if (typeof settings !== 'object' || Array.isArray(settings)) {
    throw configFailure(file, 'It must contain names and values, such as "port: 9201".');
  }
  return settings as Record<string, unknown>;
}

function settingOf(option: Option, value: unknown, name: string, file: string): unknown {
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw configFailure(file, `${name} is ${printed(value)}; it must be true or false.`);
  }
  const texts = valueTexts(value);
  if (texts === undefined)
    throw configFailure(file, `${name} is ${printed(value)}; it must be text or a number.`);
  if (texts.length > 1 && option.parseArg === undefined)
    throw configFailure(file, `${name} takes one value.`);
  if (option.argChoices !== undefined && !option.argChoices.includes(texts[0] ?? '')) {
    throw configFailure(
      file,
      `${name} is ${printed(value)}; it must be one of ${option.argChoices.join(', ')}.`,
    );
  }
  let result: unknown;
  for (const text of texts) {
    try {
      result = option.parseArg === undefined ? text : option.parseArg(text, result as string);
    } catch (error) {
      throw configFailure(file, `${name} is ${printed(value)}. ${(error as Error).message}`);
    }
  }
  return result;
}

/** Lists and `name: value` become repeated arguments. */
function valueTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Array.isArray(value)
    ? value
    : Object.entries(value).map(([name, each]) => (isPlain(each) ? `${name}=${each}` : undefined));
  return entries.length > 0 && entries.every(isPlain) ? entries.map(String) : undefined;
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function printed(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

function configFailure(file: string, reason: string): Failure {
  return new Failure(`The configuration ${file} is invalid. ${reason}`, EXIT.usage);
}
