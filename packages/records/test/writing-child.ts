// A process that moves money until it is killed, and says each time that it was told so. Started by crash.test.ts.

import { createAccount, openRecords, transfer, transferBatch } from '../src/index.ts';

const [dir = '', life = ''] = process.argv.slice(2);
const records = await openRecords(dir);
if (life === '0') {
  await records.write(createAccount, { id: 'bank', currency: 'EUR', allowNegative: true });
  await records.write(createAccount, { id: 'ada', currency: 'EUR' });
}

async function write(worker: number): Promise<void> {
  for (let n = 0; ; n++) {
    const reference = `${life}-${worker}-${n}`;
    const one = { from: 'bank', to: 'ada', money: '1', reference };
    const ids =
      n % 3 === 0
        ? (await records.write(transferBatch, { transfers: [one, one, one] })).map(({ id }) => id)
        : [(await records.write(transfer, one)).id];
    process.stdout.write(`${reference} ${ids.join(' ')}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, worker) => write(worker)));
