// A webhook may only have public addresses, however an address is written and whatever a name resolves to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressRefused, isPublic, type ResolveHost, resolveDestination } from './public-address.ts';

const PRIVATE = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:0:1::1',
  '2001:db8::1',
  '100::1',
];

test('special addresses are not public', () => {
  for (const address of PRIVATE) assert.equal(isPublic(address), false, address);
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1']) {
    assert.equal(isPublic(address), true, address);
  }
});

test('URLs that write them otherwise are seen through', async () => {
  const never: ResolveHost = async () => assert.fail('a literal is not resolved');
  for (const url of [
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://user:pass@8.8.8.8/',
    'http://8.8.8.8/#x',
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'nonsense',
  ]) {
    await assert.rejects(resolveDestination(url, false, never), AddressRefused, url);
  }
  assert.equal((await resolveDestination('https://8.8.8.8/x', false, never)).address, '8.8.8.8');
});

test('one private address of a name refuses it, and the checked one is called', async () => {
  const both: ResolveHost = async () => [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ];
  await assert.rejects(resolveDestination('https://example.com/', false, both), /10\.0\.0\.1/);
  const good: ResolveHost = async () => [{ address: '2606:4700::1', family: 6 }];
  assert.deepEqual((await resolveDestination('https://example.com/', false, good)).address, '2606:4700::1');
  const none: ResolveHost = async () => {
    throw new Error('ENOTFOUND');
  };
  await assert.rejects(resolveDestination('https://example.com/', false, none), /cannot be resolved/);
});
