// A process whose files may not grow: writes until that fails, then tells what comes after. Started by crash.test.ts.

import { createAccount, getAccount, openRecords, RecordsError, transfer } from '../src/index.ts';

const records = await openRecords(process.argv[2] ?? '');
await records.write(createAccount, { id: 'bank', currency: 'EUR', allowNegative: true });
await records.write(createAccount, { id: 'ada', currency: 'EUR' });

const failure = async (): Promise<string> => {
  for (let i = 0; i < 20_000; i++) {
    try {
      await records.write(transfer, { from: 'bank', to: 'ada', money: '1', reference: 'x'.repeat(1_000) });
    } catch (error) {
      return error instanceof RecordsError ? error.code : String(error);
    }
  }
  return 'no failure';
};

const said = [await failure(), await failure()];
const { balance } = await records.read(getAccount, { id: 'ada' });
console.log(`${said.join(' ')} ${balance > 0n ? 'read' : 'empty'}`);
process.exit();
