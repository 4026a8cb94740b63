// Are the lists of the journal sound? Each stretch that they hold is made again from the journal and compared.

import { Buffer } from 'node:buffer';
import type { Statements } from '../../contracts/operation.ts';
import { listedUpTo, packPlaces, placesByList, STRETCH } from '../sqlite/journal-index.ts';

const ROW = 'SELECT places FROM journal_list WHERE list = ? AND first = ?';
const COUNT = 'SELECT count(*) AS n FROM journal_list';

/** `end` is the position of the last transfer. Takes time in proportion to the journal. */
export function verifyLists(sql: Statements, end: bigint, find: (what: string) => void): void {
  const mark = listedUpTo(sql);
  if (mark > end) find(`The lists hold ${mark} transfers of the journal, which has ${end}.`);
  let rows = 0n;
  for (let first = 1n; first <= mark && first <= end; first += STRETCH) {
    const expected = placesByList(sql, first, first + STRETCH - 1n);
    rows += BigInt(expected.size);
    for (const [list, places] of expected) {
      const kept = sql.get<{ places: Uint8Array }>(ROW, list, first)?.places;
      if (kept === undefined || !Buffer.from(packPlaces(places)).equals(kept))
        find(`The list of ${named(list)} is not what the journal says from position ${first} on.`);
    }
  }
  const { n } = sql.get<{ n: bigint }>(COUNT)!;
  if (n !== rows) find(`The lists of the journal have ${n} rows instead of ${rows}.`);
}

function named(list: string): string {
  return /^[0-9]/.test(list) ? `the account number ${list}` : list;
}
