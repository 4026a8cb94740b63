// winston-elasticsearch: log lines become documents of an index with a template.

import { Client } from '@elastic/elasticsearch';
import winston from 'winston';
import { ElasticsearchTransport } from 'winston-elasticsearch';
import { call, url } from './calls.js';

const client = new Client({ node: url });
const problems = [];
const transport = new ElasticsearchTransport({
  level: 'info',
  clientOpts: { node: url },
  indexPrefix: 'app',
  flushInterval: 200,
});
transport.on('error', (error) => problems.push(error.message));
transport.on('warning', (error) => problems.push(error.message));
const logger = winston.createLogger({ transports: [transport] });
logger.on('error', (error) => problems.push(error.message));

await call(
  'log',
  async () => {
    for (let n = 0; n < 20; n++) logger.info(`line ${n}`, { n, user: { id: `u${n % 3}` } });
    logger.error('a failure', { code: 'E1' });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await transport.flush();
    return problems;
  },
  ({ length }) => length === 0,
);
await call(
  'the lines are documents',
  async () => {
    await client.indices.refresh({ index: 'app-*' });
    return client.count({ index: 'app-*' });
  },
  ({ count }) => count === 21,
);
await call(
  'search of a line',
  () => client.search({ index: 'app-*', query: { match: { message: 'failure' } } }),
  ({ hits }) => hits.hits[0]._source.severity === 'error',
);
await call(
  'end of the logger',
  () =>
    new Promise((resolve) => {
      logger.once('finish', () => resolve(true));
      logger.end();
    }),
);
process.exit(0);
