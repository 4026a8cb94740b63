import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeEngine } from '../../test/fake-engine.ts';
import { sealerOf } from './sealer.ts';

const payload = new Uint8Array([1, 2, 3, 250]);

test('what is sealed opens again, also in a later process', async () => {
  const engine = fakeEngine();
  const first = await sealerOf(engine);
  const sealed = await first.seal(payload);
  const again = await first.seal(payload);
  assert.notDeepEqual(sealed.bytes, again.bytes);
  const later = await sealerOf(engine);
  assert.deepEqual(new Uint8Array((await later.open(sealed.keyId, new Uint8Array(sealed.bytes)))!), payload);
});

test('nothing else opens', async () => {
  const sealer = await sealerOf(fakeEngine());
  const stranger = await sealerOf(fakeEngine());
  const { keyId, bytes } = await sealer.seal(payload);
  const copy = new Uint8Array(bytes);
  assert.equal(await stranger.open(keyId, copy), undefined);
  assert.equal(await sealer.open('k2', copy), undefined);
  for (let i = 0; i < copy.length; i++) {
    const damaged = copy.slice();
    damaged[i]! ^= 1;
    assert.equal(await sealer.open(keyId, damaged), undefined);
    assert.equal(await sealer.open(keyId, copy.slice(0, i)), undefined);
  }
});
