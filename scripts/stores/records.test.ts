// A part of the records on PostgreSQL, with every `npm test`; `npm run test:stores` runs all of it.

import { after } from 'node:test';
import { startPostgres } from './postgres-server.ts';
import { QUICK_FILES, recordsOnPostgres } from './records.ts';

const postgres = await startPostgres();
after(() => postgres?.stop());
recordsOnPostgres(postgres, QUICK_FILES);
