// The members by which an aggregation names its values: the field, what counts where it has none, and how
// values are printed.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { zoneOf } from '../../mapping/dates/zone.ts';
import type { Members } from './members.ts';

/** Where values come from. */
export interface ValuesSpec {
  readonly field: string;
  /** The value of documents without one. */
  readonly missing: JsonValue | undefined;
  readonly format: string | undefined;
  readonly timeZone: string | undefined;
  /** The type of the values where no index maps the field. */
  readonly valueType: string | undefined;
}

/** What a kind has of these members. */
interface ValuesOptions {
  readonly format?: boolean;
  readonly timeZone?: boolean;
  readonly missing?: boolean;
}

const FIELD_REQUIRED = 'Required one of fields [field, script], but none were specified. ';

/** Reads the members of a kind with one source of values. */
export function readValuesSpec(
  members: Members,
  { format = true, timeZone = false, missing = true }: ValuesOptions = {},
): ValuesSpec {
  const field = members.read('field', (value) => {
    if (typeof value === 'string') return value;
    throw members.wrongType('field', value);
  });
  refuseScript(members);
  const valueType = members.text('value_type') ?? members.text('valueType');
  const spec: ValuesSpec = {
    field: field ?? '',
    missing: missing ? readMissing(members) : undefined,
    format: format ? members.text('format') : undefined,
    timeZone: timeZone ? readTimeZone(members) : undefined,
    valueType,
  };
  if (field === undefined) {
    members.end();
    throw illegalArgument(FIELD_REQUIRED);
  }
  return spec;
}

/** Throws where values are to be computed by a script. */
export function refuseScript(members: Members): void {
  if (members.any('script') === undefined) return;
  throw illegalArgument(`[script] is not supported in [${members.parser}]; name a [field]`);
}

function readMissing(members: Members): JsonValue | undefined {
  const missing = members.any('missing');
  if (missing === null || typeof missing === 'object') throw members.wrongType('missing', missing);
  return missing;
}

/** `time_zone`: a name, an offset, or hours as a number. */
export function readTimeZone(members: Members): string | undefined {
  return members.read('time_zone', (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') throw members.wrongType('time_zone', value);
    const hours = Math.trunc(Number(value));
    const text =
      typeof value === 'string'
        ? value
        : `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
    zoneOf(text);
    return text;
  });
}
