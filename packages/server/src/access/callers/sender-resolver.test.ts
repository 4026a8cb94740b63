// The resolver trusts the headers of configured proxies only, and ignores forged headers of clients.

import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { readForwarded } from './forwarded.ts';
import { refuseNonLocal } from './loopback.ts';
import { parseBasePath, type SenderOptions, SenderResolver } from './sender-resolver.ts';
import { parseTrustedProxies } from './trusted-proxies.ts';

const sent = (headers: IncomingHttpHeaders, remoteAddress = '10.0.0.9') => ({
  headers: { host: 'inner:9200', ...headers },
  socket: { remoteAddress },
});

const client = (
  trust: string,
  headers: IncomingHttpHeaders,
  more: SenderOptions & { from?: string } = {},
) => {
  const senders = new SenderResolver({
    trust: parseTrustedProxies(trust === '' ? [] : trust.split(',')),
    ...more,
  });
  const { address, scheme } = senders.resolve(sent(headers, more.from));
  return `${scheme} ${address}`;
};

const SPOOFED = {
  'x-forwarded-for': '1.1.1.1',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'app.example',
  forwarded: 'for=2.2.2.2;proto=https;host=app.example',
};

test('headers of somebody who is not trusted are ignored', () => {
  assert.equal(client('', SPOOFED), 'http 10.0.0.9');
  assert.equal(client('10.0.0.8', SPOOFED), 'http 10.0.0.9');
  assert.equal(client('192.168.0.0/16,loopback', SPOOFED), 'http 10.0.0.9');
  assert.equal(new SenderResolver({ basePath: '/a' }).mountPath(sent({ 'x-forwarded-prefix': '/b' })), '/a');
});

test('of a trusted proxy they are read, from the nearest to the first that nobody vouches for', () => {
  for (const trust of ['10.0.0.9', '10.0.0.0/8', 'private', '1'])
    assert.equal(client(trust, SPOOFED), 'https 1.1.1.1', trust);
  const chain = { 'x-forwarded-for': '127.0.0.1, 6.6.6.6:4711,10.0.0.1 , 10.0.0.2' };
  assert.equal(client('10.0.0.0/8', chain), 'http 6.6.6.6');
  assert.equal(client('1', chain), 'http 10.0.0.2');
  assert.equal(client('3', chain), 'http 6.6.6.6');
  assert.equal(client('32', chain), 'http 127.0.0.1');
  assert.equal(client('private', { 'x-forwarded-for': '10.0.0.1' }), 'http 10.0.0.1');
  assert.equal(client('loopback', chain, { from: '::ffff:127.0.0.1' }), 'http 10.0.0.2');
  assert.equal(client('1', { 'x-forwarded-for': '[2001:db8::1]:80' }), 'http 2001:db8::1');
  assert.equal(client('1', { 'x-forwarded-for': '2001:db8::1' }), 'http 2001:db8::1');
  assert.equal(client('1', {}), 'http 10.0.0.9');
  assert.equal(client('1', { 'x-forwarded-proto': 'gopher' }), 'http 10.0.0.9');
});

test('only one of the two families is read', () => {
  const other = { forwarding: 'forwarded' } as const;
  assert.equal(client('1', SPOOFED, other), 'https 2.2.2.2');
  const { forwarded, ...xForwarded } = SPOOFED;
  assert.equal(client('1', xForwarded, other), 'http 10.0.0.9');
  assert.equal(client('1', { forwarded }), 'http 10.0.0.9');
});

test('Forwarded is read as RFC 7239 has it', () => {
  const read = (forwarded: string) => {
    const { addresses, scheme, host } = readForwarded({ forwarded }, 'forwarded');
    return [...addresses, scheme, host];
  };
  assert.deepEqual(read('for="_gazonk"'), ['_gazonk', undefined, undefined]);
  assert.deepEqual(read('For="[2001:db8:cafe::17]:4711"'), ['2001:db8:cafe::17', undefined, undefined]);
  assert.deepEqual(read('for=192.0.2.60;proto=HTTP;by=203.0.113.43'), ['192.0.2.60', 'http', undefined]);
  assert.deepEqual(read('for=192.0.2.43, for=198.51.100.17 ; host="a,b;\\"c"'), [
    ...['192.0.2.43', '198.51.100.17'],
    ...[undefined, 'a,b;"c'],
  ]);
  assert.deepEqual(read('proto=https'), ['unknown', 'https', undefined]);
  for (const broken of ['for', 'for=1.1.1.1 for=2.2.2.2', 'for="1.1.1.1', '=x', 'for=1.1.1.1;"'])
    assert.deepEqual(read(broken), ['unknown', undefined, undefined], broken);
});

test('any header is read without throwing, and long ones in no time', () => {
  const long = ['for=1.1.1.1,', ' ', '"', 'a', '=', ';', ',', '\\"', '1.1.1.1,'].map((part) =>
    part.repeat(60_000),
  );
  for (const text of long)
    for (const kind of ['forwarded', 'x-forwarded'] as const)
      assert.ok(readForwarded({ forwarded: text, 'x-forwarded-for': text }, kind).addresses.length <= 32);
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      readForwarded({ forwarded: text, 'x-forwarded-for': text, 'x-forwarded-prefix': text }, 'forwarded');
      new SenderResolver({ trust: parseTrustedProxies(['1']) }).resolve(sent({ 'x-forwarded-for': text }));
    }),
  );
});

test('what is no address is unknown, whatever somebody wrote', () => {
  for (const made of ['<script>', 'evil\u0007', 'x'.repeat(200), '1.1.1.1.1', 'example.com', '"'])
    assert.equal(client('1', { 'x-forwarded-for': made }), 'http unknown', made);
  for (const hidden of ['unknown', '_gazonk', '_SEVKISEK.9'])
    assert.equal(client('1', { 'x-forwarded-for': hidden }), `http ${hidden}`);
});

test('a prefix that a proxy took off comes before the base path', () => {
  const senders = new SenderResolver({ trust: parseTrustedProxies(['private']), basePath: '/b' });
  const mount = (prefix: string) => senders.mountPath(sent({ 'x-forwarded-prefix': prefix }));
  assert.deepEqual(['/a', '/a/', '/a/c'].map(mount), ['/a/b', '/a/b', '/a/c/b']);
  for (const bad of ['a', '//evil.example', '/a"', '/..', '/a b', 'https://x', '/a//b', '/'])
    assert.equal(mount(bad), '/b', bad);
});

test('what cannot be read is refused with what can be written', () => {
  for (const bad of [['x'], ['10.0.0.0/33'], ['1', '2'], ['0'], ['33'], ['true'], ['10.1']])
    assert.throws(() => parseTrustedProxies(bad), RangeError, bad.join());
  assert.deepEqual(['/octavo', '/octavo/', '/', '', '/a/b.c'].map(parseBasePath), [
    ...['/octavo', '/octavo', '', '', '/a/b.c'],
  ]);
  for (const bad of ['octavo', '/a b', '/a/../b', '/ä', '/a?b', '//a', '/%41'])
    assert.throws(() => parseBasePath(bad), RangeError, bad);
});

test('without keys, one stranger anywhere on the way is enough to refuse', () => {
  const local = { host: 'localhost:9200' };
  const refused = (headers: IncomingHttpHeaders, from = '127.0.0.1') =>
    refuseNonLocal({ headers: { ...local, ...headers }, socket: { remoteAddress: from } }, []) !== undefined;
  assert.equal(refused({}), false);
  assert.equal(refused({}, '::1'), false);
  assert.equal(refused({}, '10.0.0.1'), true);
  assert.equal(refused({}), false);
  for (const fine of [
    { 'x-forwarded-for': '127.0.0.1, ::1', 'x-forwarded-host': 'localhost:8080' },
    { forwarded: 'for="[::1]:80";host=localhost' },
    { 'x-real-ip': '127.0.0.1' },
    { origin: 'http://localhost:8080', 'x-forwarded-host': 'localhost:8080' },
  ])
    assert.equal(refused(fine), false, JSON.stringify(fine));
  for (const foreign of [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
    { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
    { 'x-forwarded-host': 'octavo.example' },
    { forwarded: 'for=203.0.113.9' },
    { forwarded: 'host=octavo.example' },
    { forwarded: 'for=unknown' },
    { 'x-real-ip': '203.0.113.9' },
    { origin: 'http://octavo.example', 'x-forwarded-host': 'octavo.example' },
  ])
    assert.equal(refused(foreign), true, JSON.stringify(foreign));
});
