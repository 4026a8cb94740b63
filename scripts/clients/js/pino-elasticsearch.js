// pino-elasticsearch: the log lines of pino become documents.

import { Client } from '@elastic/elasticsearch';
import pino from 'pino';
import pinoElastic from 'pino-elasticsearch';
import { call, url } from './calls.js';

const client = new Client({ node: url });

for (const opType of ['index', 'create']) {
  const index = `pino-${opType}`;
  await call(
    `log with ${opType}`,
    async () => {
      const problems = [];
      const stream = pinoElastic({
        index,
        node: url,
        esVersion: 8,
        flushBytes: 100,
        flushInterval: 200,
        opType,
      });
      for (const event of ['error', 'insertError', 'unknown'])
        stream.on(event, (error) => problems.push(String(error.message ?? error)));
      const logger = pino({ level: 'info' }, stream);
      for (let n = 0; n < 20; n++) logger.info({ n, req: { url: `/page/${n}` } }, `line ${n}`);
      logger.error(new Error('a failure'));
      for (let tries = 0; tries < 100 && problems.length === 0; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        const { count } = await client.count({ index, ignore_unavailable: true });
        if (count === 21) break;
      }
      return problems;
    },
    ({ length }) => length === 0,
  );
  await call(
    `the documents of ${opType}`,
    async () => {
      await client.indices.refresh({ index });
      return client.count({ index });
    },
    ({ count }) => count === 21,
  );
  await call(
    `search in ${opType}`,
    () => client.search({ index, query: { match: { 'err.message': 'failure' } } }),
    ({ hits }) => hits.hits.length === 1,
  );
}
process.exit(0);
