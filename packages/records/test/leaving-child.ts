// A process that writes and leaves without closing anything. Started by damage.test.ts.

import { openRecords, postItem } from '../src/index.ts';

const records = await openRecords(process.argv[2]!);
for (let n = 0; n < 20; n++)
  await records.write(postItem, { feed: 'news', draft: { author: 'ada', text: `left ${n}` } });
process.exit(0);
