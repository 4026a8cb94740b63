// Values of documents as the text of a cell.

import { toJson } from '@octavo/client';
import type { FieldKind } from './fields.ts';

/** A cell shows no more than this of a value. */
const MOST_CHARACTERS = 300;

export function cellText(value: unknown, kind: FieldKind): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return cut(value.map((each) => cellText(each, kind)).join(', '));
  if (typeof value === 'string') return kind === 'date' ? dateText(value) : cut(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return kind === 'date' ? dateText(Number(value)) : String(value);
  return cut(typeof value === 'object' ? toJson(value) : String(value));
}

/** A date as `2026-11-26 19:17:51`, in UTC as it is stored; as it is written, if it is no ISO date. */
function dateText(value: string | number): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return String(value);
  if (typeof value === 'string' && !value.includes('T')) return value;
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

const COUNT = new Intl.NumberFormat('en-US');

export function countText(count: number): string {
  return COUNT.format(count);
}
