// The buffer of a long body is used again after it was released, and never before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateShared, releaseShared } from './shared-bodies.ts';

const KB = 1024;

test('what was given back is used again, for a body of about its size', () => {
  const first = allocateShared(300 * KB);
  assert.equal(first.length, 300 * KB);
  assert.ok(first.buffer instanceof SharedArrayBuffer);
  releaseShared(first);
  const tiny = allocateShared(64 * KB);
  const larger = allocateShared(600 * KB);
  const second = allocateShared(400 * KB);
  assert.notEqual(tiny.buffer, first.buffer);
  assert.notEqual(larger.buffer, first.buffer);
  assert.equal(second.buffer, first.buffer);
  assert.equal(second.length, 400 * KB);
  // It is in use now.
  assert.notEqual(allocateShared(400 * KB).buffer, first.buffer);
});

test('a body is given back once, whatever part of it says so', () => {
  const body = allocateShared(1000 * KB);
  releaseShared(body.subarray(3));
  releaseShared(body);
  assert.equal(allocateShared(1000 * KB).buffer, body.buffer);
  assert.notEqual(allocateShared(1000 * KB).buffer, body.buffer);
});

test('what was not given out here is left alone', () => {
  const strange = new Uint8Array(new SharedArrayBuffer(2000 * KB));
  releaseShared(strange);
  releaseShared(new Uint8Array(2000 * KB));
  assert.notEqual(allocateShared(2000 * KB).buffer, strange.buffer);
});
