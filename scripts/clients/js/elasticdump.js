// elasticdump in both directions: mappings, settings and documents out of a server into files, back into another index, and
// between two indices.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { call, mappings, products, url } from './calls.js';

const send = async (method, path, body, type = 'application/json') => {
  const reply = await fetch(`${url}${path}`, { method, body, headers: { 'content-type': type } });
  if (!reply.ok) throw new Error(await reply.text());
  return reply.json();
};
const counted = async (index) => {
  await send('POST', `/${index}/_refresh`);
  return (await send('GET', `/${index}/_count`)).count;
};
const dump = (...args) =>
  execFileSync(process.execPath, ['node_modules/elasticdump/bin/elasticdump', ...args], { encoding: 'utf8' });
const lines = (file) => readFileSync(file, 'utf8').trim().split('\n').length;

await send(
  'PUT',
  '/products',
  JSON.stringify({ mappings, settings: { analysis: { analyzer: { own: { tokenizer: 'standard' } } } } }),
);
await send(
  'POST',
  '/products/_bulk?refresh=true',
  products.map((product, n) => `{"index":{"_id":"${n + 1}"}}\n${JSON.stringify(product)}\n`).join(''),
  'application/x-ndjson',
);
await send('POST', '/_aliases', JSON.stringify({ actions: [{ add: { index: 'products', alias: 'shop' } }] }));

for (const type of ['settings', 'analyzer', 'mapping', 'alias', 'data']) {
  rmSync(`${type}.json`, { force: true });
  await call(
    `dump of ${type} to a file`,
    () => dump(`--input=${url}/products`, `--output=${type}.json`, `--type=${type}`, '--limit=2'),
    () => existsSync(`${type}.json`) && lines(`${type}.json`) === (type === 'data' ? 6 : 1),
  );
}
for (const type of ['analyzer', 'mapping', 'data'])
  await call(
    `load of ${type} from a file`,
    () => dump(`--input=${type}.json`, `--output=${url}/copies`, `--type=${type}`),
    (printed) => !/error/i.test(printed),
  );
await call(
  'the documents of the file',
  () => counted('copies'),
  (count) => count === 6,
);
await call(
  'the mapping of the file',
  () => send('GET', '/copies/_mapping'),
  ({ copies }) => copies.mappings.properties.reviews.type === 'nested',
);
await call(
  'copy of an index into another',
  () => dump(`--input=${url}/products`, `--output=${url}/others`, '--type=data'),
  (printed) => !/error/i.test(printed),
);
await call(
  'the documents of the copy',
  () => counted('others'),
  (count) => count === 6,
);
await call(
  'dump of a query',
  () =>
    dump(
      `--input=${url}/products`,
      '--output=$',
      '--type=data',
      '--searchBody={"query":{"term":{"brand":"Ardo"}}}',
    ),
  (printed) => printed.trim().split('\n').length === 2,
);
await call(
  'dump over a point in time',
  () => {
    rmSync('after.json', { force: true });
    dump(
      `--input=${url}`,
      '--input-index=products',
      '--output=after.json',
      '--type=data',
      '--searchAfter',
      '--pit=true',
      '--limit=4',
    );
    return lines('after.json');
  },
  (count) => count === 6,
);
