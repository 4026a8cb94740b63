// May these transfers go together, without looking at each as if it were the only one? What is plain is decided over
// columns, in whole numbers of JavaScript: known and open accounts, enough money, sums that are exact. Whatever is not
// plain stops the run, and is decided by the rules one by one (rules.ts), which say what is wrong.

import type { Account } from '../model/account.ts';
import { digitsOf } from '../model/currency.ts';
import { type MovedColumns, type RequestColumns, setWhole, viewOf } from './columns.ts';

/** The largest balance and amount that is exact here. */
const MOST = Number.MAX_SAFE_INTEGER;
const WORD = 8;
const POWERS: readonly number[] = [1, 10, 100, 1_000, 10_000];

/** An account, as the run would leave it. */
interface Side {
  readonly account: Account;
  readonly digits: number;
  /** Above this much it may not fall. */
  readonly floor: number;
  balance: number;
  moved: boolean;
}

/** A run of transfers that follow each other. */
export class PlainRun {
  readonly #columns: RequestColumns;
  /** Of the columns, where it begins. */
  readonly #start: number;
  readonly #find: (id: string) => Account | undefined;
  /** By places in `names`; null for an account that takes part in nothing plain, undefined before it was looked for. */
  readonly #sides: (Side | null | undefined)[];
  /** Transfers at most. */
  readonly #room: number;
  readonly #words: Uint8Array;
  /** Transfers that were decided. */
  done = 0;

  /** Of the columns from `start` on. `find` gives an account as it is now. */
  constructor(columns: RequestColumns, start: number, find: (id: string) => Account | undefined) {
    const { length, names, money, currency, reference, externalId } = columns;
    const isPlain =
      money === undefined && reference === undefined && externalId === undefined && !Array.isArray(currency);
    this.#columns = columns;
    this.#start = start;
    this.#find = find;
    this.#room = isPlain ? length - start : 0;
    this.#sides = new Array<undefined>(names.length);
    this.#words = new Uint8Array(this.#room * WORD * 3);
  }

  /** Decides on all up to the first that is not plain; how many they are. */
  decide(): number {
    const { sides, digits, decimals, currency } = this.#columns;
    const view = viewOf(this.#words);
    const room = this.#room;
    let i = 0;
    for (; i < room; i++) {
      const at = this.#start + i;
      const from = this.#side(sides[2 * at]!);
      const to = this.#side(sides[2 * at + 1]!);
      if (from === null || to === null || from === to) break;
      if (from.account.currency !== to.account.currency) break;
      if (currency !== undefined && currency !== from.account.currency) break;
      const missing = from.digits - decimals[at]!;
      if (missing < 0) break;
      const amount = digits[at]! * POWERS[missing]!;
      const fromBalance = from.balance - amount;
      const toBalance = to.balance + amount;
      if (amount === 0 || amount > MOST || fromBalance < from.floor || toBalance > MOST) break;
      from.balance = fromBalance;
      to.balance = toBalance;
      from.moved = true;
      to.moved = true;
      setWhole(view, i * WORD, amount);
      setWhole(view, (room + i) * WORD, fromBalance);
      setWhole(view, (2 * room + i) * WORD, toBalance);
    }
    this.done = i;
    return i;
  }

  #side(place: number): Side | null {
    const known = this.#sides[place];
    if (known !== undefined) return known;
    return (this.#sides[place] = sideOf(this.#find(this.#columns.names[place]!)));
  }

  /** What was decided, with the places and ids that the journal gives it. */
  columns(first: bigint, ids: Uint8Array, time: number): MovedColumns {
    const { done } = this;
    const room = this.#room;
    let words = this.#words;
    if (done < room) {
      words = new Uint8Array(done * WORD * 3);
      for (let column = 0; column < 3; column++) {
        const from = column * room * WORD;
        words.set(this.#words.subarray(from, from + done * WORD), column * done * WORD);
      }
    }
    return { length: done, first, ids, words, currency: this.#currencies(), time };
  }

  /** `from` and `to` of each in turn, as places in `accounts()`. */
  places(): Uint32Array {
    return this.#columns.sides.subarray(2 * this.#start, 2 * (this.#start + this.done));
  }

  /** The account at a place, as it was before. REQUIRES: it is one of `places()`. */
  readonly account = (place: number): Account => this.#sides[place]!.account;

  /** Accounts that have moved, and their balances now. */
  *moved(): Iterable<readonly [account: Account, balance: bigint]> {
    for (const side of this.#sides) if (side?.moved === true) yield [side.account, BigInt(side.balance)];
  }

  #currencies(): string | string[] {
    const { sides } = this.#columns;
    const currencyOf = (i: number): string => this.account(sides[2 * (this.#start + i)]!).currency;
    const first = this.done === 0 ? '' : currencyOf(0);
    for (let i = 1; i < this.done; i++) {
      if (currencyOf(i) !== first) return Array.from({ length: this.done }, (_, j) => currencyOf(j));
    }
    return first;
  }
}

function sideOf(account: Account | undefined): Side | null {
  if (account === undefined || account.closed) return null;
  const digits = digitsOf(account.currency);
  const balance = Number(account.balance);
  const held = Number(account.held);
  if (POWERS[digits] === undefined || Math.abs(balance) > MOST || held > MOST) return null;
  return { account, digits, floor: account.allowNegative ? -MOST : held, balance, moved: false };
}
