// Sums and means of 64-bit values wrap as the peer's do. The values are those of a real OpenSearch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executeSearch } from '../../../test/execute-search.ts';
import { makeView } from '../../../test/query-world.ts';
import { worldServices } from '../../../test/search-world.ts';
import type { SortValue } from '../../api.ts';

async function sorted(type: string, values: string[], mode: string): Promise<SortValue> {
  const view = makeView({ properties: { n: { type } } }, [{ id: '1', source: { n: values } }]);
  const request = { indices: ['world'], sort: [{ n: { mode } }] };
  return (await executeSearch([view], request, worldServices(), 1)).hits[0]!.sort![0]!;
}

test('unsigned longs', async () => {
  const two = ['13835058055282163713', '13835058055282163714'];
  assert.equal(await sorted('unsigned_long', two, 'sum'), 9223372036854775811n);
  assert.equal(await sorted('unsigned_long', two, 'avg'), 4611686018427387906n);
  assert.equal(await sorted('unsigned_long', two, 'median'), 4611686018427387906n);
  assert.equal(await sorted('unsigned_long', ['13835058055282163712', '1'], 'avg'), 6917529027641081857n);
});

test('longs', async () => {
  const two = ['9223372036854775807', '9223372036854775800'];
  assert.equal(await sorted('long', two, 'sum'), -9);
  assert.equal(await sorted('long', two, 'avg'), -4);
});
