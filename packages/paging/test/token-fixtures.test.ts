// The fixtures of conformance/tokens match what this library reads and writes. A reader in Java passes them
// all, and its tokens are read here; a token built in Python from the documentation is read here too.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CursorError } from '../src/errors.ts';
import { canonicalText, hashText } from '../src/tokens/fingerprint.ts';
import { webCryptoSealer } from '../src/tokens/sealer.ts';
import { type Expectation, openToken, type Position, readPosition, readToken } from '../src/tokens/token.ts';
import type { TupleValue } from '../src/tuple.ts';

interface Fixture {
  readonly name: string;
  readonly token: string;
  readonly expected?: Expectation;
  readonly error?: string;
  readonly changed?: readonly string[];
  readonly position?: Omit<Position, 'tuple'> & { readonly tuple: readonly unknown[] };
}

interface File<Case> {
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
  readonly cases: readonly Case[];
}

const FOLDER = new URL('../../../conformance/tokens/', import.meta.url);
const JAVA = fileURLToPath(new URL('./java/Tokens.java', import.meta.url));

function fixtures<Case extends { readonly name: string } = Fixture>(name: string): File<Case> {
  const file = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as File<Case>;
  assert.equal(new Set(file.cases.map((given) => given.name)).size, file.cases.length, 'names are unique');
  return file;
}

const { keys, cases } = fixtures('tokens');
const sealer = webCryptoSealer(
  keys.map(({ id, secret }) => ({ id, secret: new Uint8Array(Buffer.from(secret, 'hex')) })),
);

function typed(value: unknown): TupleValue {
  if (typeof value !== 'object' || value === null) return value as TupleValue;
  const { bigint, date, bytes, double } = value as Record<string, string>;
  if (bigint !== undefined) return BigInt(bigint);
  if (date !== undefined) return new Date(Number(date));
  if (bytes !== undefined) return new Uint8Array(Buffer.from(bytes, 'hex'));
  return Number(double);
}

const positionOf = ({ position }: Fixture): Position => ({
  ...position!,
  tuple: position!.tuple.map(typed),
});

test('fixtures: tokens, read and written', async () => {
  for (const given of cases) {
    const { name, token, error } = given;
    if (error !== undefined) {
      await assert.rejects(
        readPosition(token, sealer),
        (e) => e instanceof CursorError && e.code === error,
        name,
      );
      continue;
    }
    const expected = positionOf(given);
    assert.deepEqual(await readPosition(token, sealer), expected, name);
    if (token.startsWith('v0.')) assert.equal(openToken(expected), token, name);
  }
});

test('fixtures: checks of caller, time and list', async () => {
  for (const given of fixtures('checks').cases) {
    const { name, token, expected, error, changed = [] } = given;
    const read = readToken(token, expected!, sealer);
    if (error === undefined) assert.deepEqual(await read, positionOf(given), name);
    else
      await assert.rejects(
        read,
        (e: CursorError) => {
          assert.deepEqual([e.code, [...e.changed].sort()], [error, [...changed].sort()], name);
          return true;
        },
        name,
      );
  }
});

test('fixtures: fingerprints', () => {
  type Part = {
    readonly name: string;
    readonly value: unknown;
    readonly text: string;
    readonly hash: number;
  };
  for (const { name, value, text, hash } of fixtures<Part>('fingerprints').cases)
    assert.deepEqual([canonicalText(value), hashText(text)], [text, hash], name);
});

const noJava = spawnSync('java', ['--version']).status === 0 ? false : 'there is no java on this machine';

test('a reader in Java passes all of them, and what it seals is read here', { skip: noJava }, async () => {
  const { stdout } = await promisify(execFile)('java', [JAVA, fileURLToPath(FOLDER)]);
  assert.match(stdout, /^\d+ passed, 0 failed\n$/m);
  const sealed = new Map(
    [...stdout.matchAll(/^sealed (.*): (\S+)$/gm)].map(([, name, token]) => [name, token]),
  );
  const read = cases.filter(({ token, error }) => error === undefined && token.startsWith('v1.'));
  assert.equal(sealed.size, read.length);
  for (const given of read)
    assert.deepEqual(await readPosition(sealed.get(given.name)!, sealer), positionOf(given), given.name);
});

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
