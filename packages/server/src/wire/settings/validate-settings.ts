// Checks names and values of settings. Errors have the peer's messages.

import { EngineError, illegalArgument } from '@octavo/engine';
import { nearestNames } from '../../patterns/nearest-names.ts';
import { parseMillis } from '../router/query-params.ts';
import type { FlatSettings } from './flat-settings.ts';
import { findIndexSetting, INDEX_SETTINGS, type SettingSpec } from './index-settings.ts';

const KNOWN_KEYS: readonly string[] = Object.keys(INDEX_SETTINGS).map((name) => `index.${name}`);

/** Checks the settings of a new index or a template. Keys are full (`index.…`). */
export function validateIndexSettings(flat: FlatSettings): void {
  refuseUnknown(flat, KNOWN_KEYS, (key) => findIndexSetting(key) !== undefined);
  for (const key of Object.keys(flat).sort()) {
    const setting = findIndexSetting(key)!;
    if (setting.scope === 'private') {
      throw new EngineError(
        'validation_exception',
        `Validation Failed: 1: private index setting [${key}] can not be set explicitly;`,
      );
    }
    const value = flat[key];
    if (value !== null && value !== undefined) checkValue(key, value, setting);
  }
}

/** Throws settings_exception for the first unknown key; others are listed as `suppressed`. */
export function refuseUnknown(
  flat: FlatSettings,
  candidates: readonly string[],
  isKnown: (key: string) => boolean,
): void {
  const unknown = Object.keys(flat)
    .filter((key) => !isKnown(key))
    .sort();
  if (unknown.length === 0) return;
  const reasons = unknown.slice(0, 20).map((key) => `unknown setting [${key}]${hint(key, candidates)}`);
  const suppressed = reasons.slice(1).map((reason) => ({ type: 'settings_exception', reason }));
  throw new EngineError(
    'settings_exception',
    reasons[0]!,
    suppressed.length > 0 ? { details: { suppressed } } : {},
  );
}

/** Settings more alike than this are offered in place of an unknown one. */
const LIKENESS = 0.7;

function hint(key: string, candidates: readonly string[]): string {
  const near = nearestNames(key, candidates, LIKENESS);
  if (near.length === 1) return ` did you mean [${near[0]}]?`;
  if (near.length > 1) return ` did you mean any of [${near.join(', ')}]?`;
  return ' please check that any required plugins are installed, or check the breaking changes documentation for removed settings';
}

/** Throws illegal_argument_exception if a value is not of the setting's kind, or out of bounds. */
export function checkValue(key: string, value: string, setting: SettingSpec): void {
  switch (setting.kind) {
    case 'integer':
    case 'long':
      checkInteger(key, value, setting);
      return;
    case 'number':
      if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value.trim())) throw unparsable(key, value);
      if (setting.min !== undefined && Number(value) < setting.min) throw tooSmall(key, value, setting.min);
      return;
    case 'boolean':
      if (value !== 'true' && value !== 'false') {
        throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
      }
      return;
    case 'time':
      checkTime(key, value, setting);
      return;
    case 'bytes':
      if (!/^(-1|0|\d+(\.\d+)?\s*(b|k|kb|m|mb|g|gb|t|tb|p|pb))$/i.test(value.trim())) {
        throw illegalArgument(
          `failed to parse setting [${key}] with value [${value}] as a size in bytes: unit is missing or unrecognized`,
        );
      }
      return;
    case 'word':
      if (!setting.words!.includes(value.toLowerCase())) {
        throw illegalArgument(
          `Failed to parse value [${value}] for setting [${key}] must be one of [${setting.words!.join(', ')}]`,
        );
      }
      return;
    case 'expand':
      if (value !== 'false' && !/^\d+-(\d+|all)$/.test(value)) {
        throw illegalArgument(
          `failed to parse [${key}] from value: [${value}] at index ${value.indexOf('-')}`,
        );
      }
      return;
    case 'text':
    case 'list':
      return;
  }
}

function checkInteger(key: string, value: string, setting: SettingSpec): void {
  const top = setting.kind === 'integer' ? 2147483647n : 9223372036854775807n;
  if (!/^[+-]?\d{1,19}$/.test(value)) throw unparsable(key, value);
  const number = BigInt(value.startsWith('+') ? value.slice(1) : value);
  if (number > top || number < -top - 1n) throw unparsable(key, value);
  if (setting.min !== undefined && number < BigInt(setting.min)) throw tooSmall(key, value, setting.min);
  if (setting.max !== undefined && number > BigInt(setting.max)) {
    throw illegalArgument(`Failed to parse value [${value}] for setting [${key}] must be <= ${setting.max}`);
  }
}

function tooSmall(key: string, value: string, min: number): EngineError {
  return illegalArgument(`Failed to parse value [${value}] for setting [${key}] must be >= ${min}`);
}

/** Bounds of a time are in milliseconds. */
function checkTime(key: string, value: string, { min }: SettingSpec): void {
  const millis = parseMillis(value, key);
  if (min !== undefined && millis < min) {
    throw illegalArgument(`failed to parse value [${value}] for setting [${key}], must be >= [${min}ms]`);
  }
}

function unparsable(key: string, value: string): EngineError {
  const causedBy = new EngineError('number_format_exception', `For input string: "${value}"`);
  return new EngineError(
    'illegal_argument_exception',
    `Failed to parse value [${value}] for setting [${key}]`,
    {
      causedBy,
    },
  );
}
