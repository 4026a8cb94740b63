// Transfers of the ledger: single ones at 64 connections and batches of 1,000, durable when acknowledged, per
// second of server CPU (bench/ledger.ts, with a separate server). There are enough of them to measure a warm
// server and not its JIT compiler.

import { benchLedger } from '../../ledger.ts';
import { type Claim, medianOf, type Question, type Row } from '../../measure/question.ts';

const SINGLE = 'transfers one by one, per second of server CPU';
const BATCHED = 'transfers in batches, per second of server CPU';
const DRIFT = 'drift in minor units';

export const ledger: Question = {
  name: 'ledger',
  asks: 'What does a transfer cost the server?',
  async run({ smoke }) {
    const figures = smoke ? await benchLedger(60, 8, 10) : await benchLedger(100_000, 64, 1000);
    const row = (name: string, median: number, unit: Row['unit'] = 'transfers'): Row => ({
      name,
      unit,
      figures: { octavo: { median } },
    });
    return [
      row(SINGLE, figures.single.perCpuSecond),
      row(BATCHED, figures.batched.perCpuSecond),
      row('transfers one by one, per second', figures.single.perSecond),
      row('transfers in batches, per second', figures.batched.perSecond),
      row(DRIFT, Number(figures.drift), 'minor units'),
    ];
  },
  claims(rows): Claim[] {
    const claim = (says: string): Pick<Claim, 'work' | 'says' | 'measured' | 'unit'> => ({
      work: 'ledger',
      says,
      measured: medianOf(rows, says, 'octavo'),
      unit: 'transfers',
    });
    return [
      { ...claim(SINGLE), atLeast: 8_000 },
      { ...claim(BATCHED), atLeast: 100_000 },
      { ...claim(DRIFT), unit: 'minor units', atMost: 0 },
    ];
  },
};
