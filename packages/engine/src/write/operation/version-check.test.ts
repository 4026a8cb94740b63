import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteOp } from '../../api.ts';
import type { CurrentVersion } from '../index-state/tombstones.ts';
import { nextVersion } from './version-check.ts';

const alive: CurrentVersion = { alive: true, version: 3, seqNo: 7, type: '_doc' };
const dead: CurrentVersion = { alive: false, version: 4, seqNo: 8, type: '_doc' };
const op = (more: Partial<WriteOp> = {}): WriteOp => ({ kind: 'index', index: 'i', id: 'a', ...more });

test('versions count up, over tombstones too', () => {
  assert.equal(nextVersion(op(), 'a', undefined, 1), 1);
  assert.equal(nextVersion(op(), 'a', alive, 1), 4);
  assert.equal(nextVersion(op({ kind: 'create' }), 'a', dead, 1), 5);
});

test('create refuses what is alive', () => {
  assert.throws(() => nextVersion(op({ kind: 'create' }), 'a', alive, 1), {
    type: 'version_conflict_engine_exception',
    status: 409,
    message: '[a]: version conflict, document already exists (current version [3])',
  });
});

test('sequence numbers must match exactly', () => {
  assert.equal(nextVersion(op({ ifSeqNo: 7, ifPrimaryTerm: 1 }), 'a', alive, 1), 4);
  for (const [seq, term, current] of [
    [6, 1, alive],
    [7, 2, alive],
    [8, 1, dead],
    [0, 1, undefined],
  ] as const) {
    assert.throws(() => nextVersion(op({ ifSeqNo: seq, ifPrimaryTerm: term }), 'a', current, 1), {
      status: 409,
    });
  }
});

test('external versions only go up', () => {
  const external = (version: number, versionType: 'external' | 'external_gte' = 'external') =>
    op({ version, versionType });
  assert.equal(nextVersion(external(10), 'a', undefined, 1), 10);
  assert.equal(nextVersion(external(4), 'a', alive, 1), 4);
  assert.throws(() => nextVersion(external(3), 'a', alive, 1), { status: 409 });
  assert.equal(nextVersion(external(3, 'external_gte'), 'a', alive, 1), 3);
  assert.throws(() => nextVersion(external(2, 'external_gte'), 'a', alive, 1), { status: 409 });
  assert.throws(() => nextVersion(external(-1), 'a', alive, 1), { status: 400 });
});

test('internal versions cannot be demanded', () => {
  assert.throws(() => nextVersion(op({ version: 3 }), 'a', alive, 1), { status: 400 });
});
