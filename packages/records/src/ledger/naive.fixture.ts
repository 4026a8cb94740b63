// A ledger as anybody would write it: objects in a map, copied before a batch. Holds the real one to account.

/** A refusal with the code that the real one must have as well. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface NaiveAccount {
  readonly currency: string;
  negative: boolean;
  closed: boolean;
  balance: bigint;
}

interface NaiveTransfer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly externalId: string | undefined;
  reversed: boolean;
}

interface NaiveHold {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  pending: boolean;
}

interface NaiveRequest {
  readonly from: string;
  readonly to: string;
  readonly money: string;
  readonly currency?: string | undefined;
  readonly externalId?: string | undefined;
}

/** Amounts of the tests: digits with up to two decimals, all currencies of them having two, but JPY none. */
function minor(money: string, currency: string): bigint {
  if (!['EUR', 'USD', 'JPY'].includes(currency)) throw new Refused('unknown-currency');
  const digits = currency === 'JPY' ? 0 : 2;
  const [whole = '', decimals = ''] = money.split('.');
  const amount = decimals.length > digits ? 0n : BigInt(whole + decimals.padEnd(digits, '0'));
  if (amount === 0n) throw new Refused('invalid-money');
  return amount;
}

export class NaiveLedger {
  accounts: Map<string, NaiveAccount> = new Map();
  transfers: NaiveTransfer[] = [];
  readonly holds: NaiveHold[] = [];

  open(id: string, currency: string, negative: boolean): void {
    this.accounts.set(id, { currency, negative, closed: false, balance: 0n });
  }

  held(id: string): bigint {
    return this.holds.reduce((sum, hold) => (hold.pending && hold.from === id ? sum + hold.amount : sum), 0n);
  }

  batch(requests: readonly NaiveRequest[]): void {
    const accounts = structuredClone(this.accounts);
    const transfers = structuredClone(this.transfers);
    try {
      for (const request of requests) {
        const amount = this.#decide(request);
        const { from, to, externalId } = request;
        this.#move(from, to, amount);
        this.transfers.push({ from, to, amount, externalId, reversed: false });
      }
    } catch (error) {
      this.accounts = accounts;
      this.transfers = transfers;
      throw error;
    }
  }

  reverse(at: number): void {
    const transfer = this.transfers[at];
    if (transfer === undefined) throw new Refused('transfer-not-found');
    if (transfer.reversed) throw new Refused('already-reversed');
    const { from: to, to: from, amount } = transfer;
    if (this.accounts.get(from)!.closed || this.accounts.get(to)!.closed) throw new Refused('account-closed');
    this.#checkFunds(from, amount);
    this.#move(from, to, amount);
    transfer.reversed = true;
    this.transfers.push({ from, to, amount, externalId: undefined, reversed: false });
  }

  hold(request: NaiveRequest): void {
    const amount = this.#decide(request);
    this.holds.push({ from: request.from, to: request.to, amount, pending: true });
  }

  post(at: number, money: string | undefined): void {
    const hold = this.#pending(at);
    if (money === 'x') throw new Refused('invalid-money');
    const amount = money === undefined ? hold.amount : minor(money, this.accounts.get(hold.from)!.currency);
    if (amount > hold.amount) throw new Refused('invalid-money');
    const { from, to } = hold;
    if (this.accounts.get(from)!.closed || this.accounts.get(to)!.closed) throw new Refused('account-closed');
    hold.pending = false;
    this.#move(from, to, amount);
    this.transfers.push({ from, to, amount, externalId: undefined, reversed: false });
  }

  void(at: number): void {
    this.#pending(at).pending = false;
  }

  change(id: string, closed: boolean | undefined, negative: boolean | undefined): void {
    const account = this.accounts.get(id);
    if (account === undefined) throw new Refused('account-not-found');
    if (closed === true && !account.closed && (account.balance !== 0n || this.held(id) !== 0n))
      throw new Refused('account-not-empty');
    if (account.negative && negative === false && account.balance < this.held(id))
      throw new Refused('insufficient-funds');
    account.closed = closed ?? account.closed;
    account.negative = negative ?? account.negative;
  }

  #decide({ from, to, money, currency, externalId }: NaiveRequest): bigint {
    if (money === 'x') throw new Refused('invalid-money');
    if (currency !== undefined) minor(money, currency);
    if (from === to) throw new Refused('same-account');
    const [giver, taker] = [this.accounts.get(from), this.accounts.get(to)];
    if (giver === undefined || taker === undefined) throw new Refused('account-not-found');
    const amount = minor(money, currency ?? giver.currency);
    if (giver.closed || taker.closed) throw new Refused('account-closed');
    if ((currency ?? giver.currency) !== giver.currency || giver.currency !== taker.currency)
      throw new Refused('currency-mismatch');
    if (externalId !== undefined && this.transfers.some((one) => one.externalId === externalId))
      throw new Refused('external-id-taken');
    this.#checkFunds(from, amount);
    return amount;
  }

  #checkFunds(from: string, amount: bigint): void {
    const account = this.accounts.get(from)!;
    if (!account.negative && account.balance - this.held(from) < amount)
      throw new Refused('insufficient-funds');
  }

  #move(from: string, to: string, amount: bigint): void {
    this.accounts.get(from)!.balance -= amount;
    this.accounts.get(to)!.balance += amount;
  }

  #pending(at: number): NaiveHold {
    const hold = this.holds[at];
    if (hold === undefined) throw new Refused('hold-not-found');
    if (!hold.pending) throw new Refused('hold-not-pending');
    return hold;
  }
}
