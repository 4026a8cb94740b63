import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CursorError } from '../src/errors.ts';
import { webCryptoSealer } from '../src/sealer.ts';
import { openToken, type Position, readPosition } from '../src/token.ts';
import type { TupleValue } from '../src/tuple.ts';

interface Fixture {
  readonly name: string;
  readonly token: string;
  readonly error?: string;
  readonly position?: Omit<Position, 'tuple'> & { readonly tuple: readonly unknown[] };
}
const file = new URL('../../../conformance/tokens/tokens.json', import.meta.url);
const { key, cases } = JSON.parse(readFileSync(file, 'utf8')) as {
  key: { id: string; secret: string };
  cases: readonly Fixture[];
};
const sealer = webCryptoSealer([{ id: key.id, secret: new Uint8Array(Buffer.from(key.secret, 'hex')) }]);

function typed(value: unknown): TupleValue {
  if (typeof value !== 'object' || value === null) return value as TupleValue;
  const { bigint, date, bytes, double } = value as Record<string, string>;
  if (bigint !== undefined) return BigInt(bigint);
  if (date !== undefined) return new Date(Number(date));
  if (bytes !== undefined) return new Uint8Array(Buffer.from(bytes, 'hex'));
  return Number(double);
}

for (const { name, token, error, position } of cases) {
  test(`token fixture: ${name}`, async () => {
    if (position === undefined) {
      await assert.rejects(readPosition(token, sealer), (e) => e instanceof CursorError && e.code === error);
      return;
    }
    const expected = { ...position, tuple: position.tuple.map(typed) };
    assert.deepEqual(await readPosition(token, sealer), expected);
    if (token.startsWith('v0.')) assert.equal(openToken(expected), token);
  });
}

const PYTHON = `
import base64, sys
def varint(x):
    out = b''
    while x >= 128: out += bytes([x & 127 | 128]); x >>= 7
    return out + bytes([x])
def zigzag(x): return varint(2 * x if x >= 0 else -2 * x - 1)
def string(s):
    b = s.encode(); return varint(2 * len(b)) + b
payload = bytes([1, 0, 2, 2]) + b'\\x07' + zigzag(-300) + b'\\x05' + string('ä') + string('doc-1')
payload += b'\\x01' + string('list') + varint(123456789012345)
sys.stdout.write('v0.' + base64.urlsafe_b64encode(payload).decode().rstrip('='))
`;
const python = spawnSync('python3', ['--version']).status === 0;

test('a token written in Python is read here', { skip: python ? false : 'no python3 here' }, async () => {
  const token = execFileSync('python3', ['-c', PYTHON], { encoding: 'utf8' });
  const position: Position = {
    mode: 'sort',
    tuple: [-300, 'ä'],
    id: 'doc-1',
    backwards: false,
    fingerprint: { list: 123_456_789_012_345 },
  };
  assert.deepEqual(await readPosition(token), position);
  assert.equal(openToken(position), token);
});
