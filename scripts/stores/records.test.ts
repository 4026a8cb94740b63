// Part of the records tests on PostgreSQL, in every `npm test`. `npm run test:stores` runs all of them.

import { after } from 'node:test';
import { startPostgres } from './postgres-server.ts';
import { QUICK_FILES, recordsOnPostgres } from './records.ts';

const postgres = await startPostgres();
after(() => postgres?.stop());
recordsOnPostgres(postgres, QUICK_FILES);
