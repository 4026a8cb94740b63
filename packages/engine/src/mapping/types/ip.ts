// IP addresses as 16 sortable bytes (IPv4 as ::ffff:a.b.c.d), and CIDR blocks as the first and last
// address.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { isGiven, valueText } from './integers.ts';
import type { BytesType } from './type.ts';

/** 16 bytes of an address; undefined when the text is none. */
export function parseIp(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(16);
  if (!text.includes(':')) {
    bytes[10] = bytes[11] = 255;
    return v4(text, bytes, 12) ? bytes : undefined;
  }
  const zone = text.indexOf('%');
  const bare = zone < 0 ? text : text.slice(0, zone);
  const halves = bare.split('::');
  if (halves.length > 2) return undefined;
  const head = groups(halves[0]!, halves.length === 1);
  const tail = halves.length === 2 ? groups(halves[1]!, true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const count = head.length + tail.length;
  if (halves.length === 1 ? count !== 8 : count > 7) return undefined;
  const all = [...head, ...new Array<number>(8 - count).fill(0), ...tail];
  all.forEach((group, i) => {
    bytes[i * 2] = group >> 8;
    bytes[i * 2 + 1] = group & 255;
  });
  return bytes;
}

function v4(text: string, into: Uint8Array, at: number): boolean {
  const parts = text.split('.');
  if (parts.length !== 4) return false;
  return parts.every((part, i) => {
    if (!/^\d{1,3}$/.test(part) || (part.length > 1 && part.startsWith('0')) || Number(part) > 255)
      return false;
    into[at + i] = Number(part);
    return true;
  });
}

/** 16-bit groups of one half of an IPv6 address, a dotted end allowed. */
function groups(text: string, end: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const out: number[] = [];
  for (const [i, part] of parts.entries()) {
    if (end && i === parts.length - 1 && part.includes('.')) {
      const four = new Uint8Array(4);
      if (!v4(part, four, 0)) return undefined;
      out.push(four[0]! * 256 + four[1]!, four[2]! * 256 + four[3]!);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) out.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return out;
}

/** The address as text: dotted for IPv4, RFC 5952 for the rest. */
export function printIp(bytes: Uint8Array): string {
  const mapped = bytes[10] === 255 && bytes[11] === 255 && bytes.subarray(0, 10).every((byte) => byte === 0);
  if (mapped) return bytes.subarray(12).join('.');
  const all = Array.from({ length: 8 }, (_, i) => bytes[i * 2]! * 256 + bytes[i * 2 + 1]!);
  let best = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let n = 0;
    while (i + n < 8 && all[i + n] === 0) n++;
    if (n > length) {
      best = i;
      length = n;
    }
  }
  const hex = all.map((group) => group.toString(16));
  if (best < 0) return hex.join(':');
  return `${hex.slice(0, best).join(':')}::${hex.slice(best + length).join(':')}`;
}

/** First and last address of `a.b.c.d/n`. Errors: illegal_argument_exception. */
export function parseCidr(text: string): { min: Uint8Array; max: Uint8Array } {
  const slash = text.lastIndexOf('/');
  const min = need(text.slice(0, slash), text);
  const four = !text.includes(':');
  const suffix = text.slice(slash + 1);
  const prefix = /^\d{1,3}$/.test(suffix) ? Number(suffix) : -1;
  if (prefix < 0 || prefix > (four ? 32 : 128)) {
    throw illegalArgument(
      `Illegal prefix length [${suffix}] in [${text}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`,
    );
  }
  const max = min.slice();
  for (let bit = prefix + (four ? 96 : 0); bit < 128; bit++) {
    min[bit >> 3]! &= ~(128 >> (bit & 7));
    max[bit >> 3]! |= 128 >> (bit & 7);
  }
  return { min, max };
}

function need(address: string, shown = address): Uint8Array {
  const bytes = parseIp(address);
  if (bytes === undefined)
    throw new EngineError('illegal_argument_exception', `'${shown}' is not an IP string literal.`);
  return bytes;
}

function step(bytes: Uint8Array, by: 1 | -1): Uint8Array | undefined {
  const out = bytes.slice();
  for (let i = 15; i >= 0; i--) {
    const value = out[i]! + by;
    out[i] = value & 255;
    if (value >= 0 && value < 256) return out;
  }
  return undefined;
}

export const IP: BytesType = {
  encode: (value) => need(valueText(value)),
  decode: printIp,
  range(bounds) {
    let min: Uint8Array | undefined = new Uint8Array(16);
    let max: Uint8Array | undefined = new Uint8Array(16).fill(255);
    const raise = (to: Uint8Array | undefined): void => {
      if (min !== undefined && (to === undefined || Buffer.compare(to, min) > 0)) min = to;
    };
    const lower = (to: Uint8Array | undefined): void => {
      if (max !== undefined && (to === undefined || Buffer.compare(to, max) < 0)) max = to;
    };
    const at = (value: JsonValue): Uint8Array => need(valueText(value));
    if (isGiven(bounds.gte)) raise(at(bounds.gte));
    if (isGiven(bounds.gt)) raise(step(at(bounds.gt), 1));
    if (isGiven(bounds.lte)) lower(at(bounds.lte));
    if (isGiven(bounds.lt)) lower(step(at(bounds.lt), -1));
    return min === undefined || max === undefined || Buffer.compare(min, max) > 0 ? undefined : { min, max };
  },
};
