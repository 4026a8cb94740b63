// The flags of a cluster: what they produce and refuse, never with a password in a message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClusterFlags } from './cluster-flags.ts';
import { Failure } from './failure.ts';

test('without --documents there is no cluster, and its other flags mean nothing', () => {
  assert.equal(readClusterFlags({}), undefined);
  assert.throws(() => readClusterFlags({ documentsUser: 'u' }), Failure);
  assert.throws(() => readClusterFlags({ documentsApiKey: 'k' }), Failure);
});

test('a list of nodes with one who asks them', () => {
  const made = readClusterFlags({
    documents: 'https://a:9200,https://b',
    documentsUser: 'u',
    documentsPassword: 'p',
  });
  assert.deepEqual(
    made?.nodes.map((node) => node.host),
    ['a:9200', 'b'],
  );
  assert.equal(made?.authorization, `Basic ${Buffer.from('u:p').toString('base64')}`);
});

test('what does not fit is told without what is secret', () => {
  for (const flags of [
    { documents: 'http://u:hidden@a:9200/?x=1' },
    { documents: 'http://u:hidden@a', documentsUser: 'v' },
    { documents: 'http://a', documentsUser: 'v', documentsPassword: 'hidden', documentsApiKey: 'hidden' },
    { documents: 'ftp://u:hidden@a' },
    { documents: 'http://a', documentsUser: 'v' },
    { documents: 'http://a', documentsPassword: 'hidden' },
    { documents: 'http://v@a' },
    { documents: 'http://u:hidden@a,http://x:hidden2@b' },
    { documents: 'http://a', documentsCa: '/nowhere/ca.pem' },
  ]) {
    assert.throws(
      () => readClusterFlags(flags),
      (error: Error) => error instanceof Failure && !error.message.includes('hidden'),
    );
  }
});
