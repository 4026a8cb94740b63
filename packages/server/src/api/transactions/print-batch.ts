// Prints the answer to a batch of transfers directly from its columns. The text equals JSON.stringify of the
// views (a property test compares them).

import { columnAt, digitsOf, type MovedBatch, moneyText, timeText, uuidText, viewOf } from '@octavo/records';

const WORD = 8;
const ID = 16;
const TWO_32 = 0x1_0000_0000;

export function printBatch({ asked, moved }: MovedBatch): string {
  const { names, sides } = asked;
  const { length, currency, time } = moved;
  const ids = viewOf(moved.ids);
  const words = viewOf(moved.words);
  const from = names.map((name) => `","kind":"transfer","from":${quote(name)},"to":`);
  const to = names.map((name) => `${quote(name)},"currency":"`);
  const end = `","reference":null,"external_id":null,"hold":null,"reverses":null,"created_at":"${timeText(time)}"}`;
  let text = '{"items":[';
  for (let i = 0; i < length; i++) {
    const code = columnAt(currency, i);
    const amount = readInt64(words, i * WORD);
    text +=
      (i === 0 ? '{"id":"' : ',{"id":"') +
      uuidText(ids, i * ID) +
      from[sides[2 * i]!]! +
      to[sides[2 * i + 1]!]! +
      code +
      '","money":"' +
      moneyText(amount, digitsOf(code)) +
      '","money_minor":"' +
      amount +
      end;
  }
  return `${text}]}`;
}

/** An i64, as a number if that is exact. */
function readInt64(words: DataView, at: number): number | bigint {
  const high = words.getInt32(at + 4, true);
  if (high >= 0x20_0000 || high < 0) return words.getBigInt64(at, true);
  return high * TWO_32 + words.getUint32(at, true);
}

/** What JSON would escape, or might: the rest needs only its quotes. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function quote(text: string | null): string {
  if (text === null) return 'null';
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
