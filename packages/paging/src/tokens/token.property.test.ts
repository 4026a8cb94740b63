import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CursorError } from '../errors.ts';
import { compareText } from '../order.ts';
import type { TupleValue } from '../tuple.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { canonicalText, fingerprint } from './fingerprint.ts';
import { type SyncSealer, webCryptoSealer } from './sealer.ts';
import {
  checkPosition,
  MAX_TOKEN_LENGTH,
  nextTokenFrom,
  openToken,
  type Position,
  readPosition,
  readToken,
  readTokenSync,
  sealToken,
  sealTokenSync,
} from './token.ts';

const value: fc.Arbitrary<TupleValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double(),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\ud800', 'a\udc00b', '', '__proto__'),
  fc.date({ noInvalidDate: true }),
);
const optional = <T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arb, { nil: undefined });
const position: fc.Arbitrary<Position> = fc
  .record({
    mode: fc.constantFrom('sort' as const, 'score' as const, 'feed' as const),
    tuple: fc.array(value, { maxLength: 6 }),
    id: optional(fc.string({ maxLength: 30 })),
    index: optional(fc.string({ maxLength: 10 })),
    backwards: fc.boolean(),
    snapshot: optional(fc.maxSafeNat()),
    fingerprint: fc.constantFrom({}, fingerprint({ index: 'a', query: { x: 1 }, sort: ['y'] })),
    principal: optional(fc.string({ maxLength: 10 })),
    expiresAt: optional(fc.maxSafeNat()),
  })
  .map(
    (p) => Object.fromEntries(Object.entries(p).filter(([, v]) => v !== undefined)) as unknown as Position,
  );
const secret = (n: number) => new Uint8Array(32).fill(n);
const sealer = webCryptoSealer([{ id: 'k1', secret: secret(1) }]);

/** Hides nothing, but notices every change. */
const plain: SyncSealer = {
  seal: (payload) => ({ keyId: 'p', bytes: new Uint8Array([...payload, sumOf(payload)]) }),
  open(keyId, sealed) {
    const payload = sealed.slice(0, -1);
    return keyId === 'p' && sealed.at(-1) === sumOf(payload) ? payload : undefined;
  },
};
const sumOf = (bytes: Uint8Array): number =>
  bytes.reduce((sum, byte, at) => (sum + byte * (at + 3)) & 255, 7);

const isInvalid = (e: unknown): boolean => e instanceof CursorError && e.code === 'cursor-invalid';

test('any position survives both forms of a token', async () => {
  await fc.assert(
    fc.asyncProperty(position, async (p) => {
      assert.deepEqual(await readPosition(openToken(p)), p);
      assert.deepEqual(await readPosition(await sealToken(p, sealer), sealer), p);
    }),
  );
});

test('the synchronous functions make the same tokens and apply the same rules', async () => {
  await fc.assert(
    fc.asyncProperty(position, fc.nat(4_000), async (p, cut) => {
      const token = sealTokenSync(p, plain);
      assert.equal(token, await sealToken(p, plain));
      const expected = {
        fingerprint: p.fingerprint,
        now: 0,
        ...(p.principal === undefined ? {} : { principal: p.principal }),
      };
      if (p.expiresAt !== 0) assert.deepEqual(readTokenSync(token, expected, plain), p);
      assert.deepEqual(await readPosition(token, plain), p);
      const same = await readToken(token, { ...expected, now: 2 ** 53 }, plain).catch((e) => e);
      if (same instanceof CursorError)
        assert.throws(() => readTokenSync(token, { ...expected, now: 2 ** 53 }, plain), same);
      assert.throws(() => readTokenSync(token.slice(0, cut % token.length), expected, plain), isInvalid);
      const open = { ...expected, allowOpen: false };
      assert.throws(() => readTokenSync(openToken(p), open, plain), isInvalid);
    }),
  );
});

test('damaged, truncated and forged tokens fail with cursor-invalid and no other error', async () => {
  const flip = async (token: string, at: number, bit: number, reading: typeof sealer | undefined) => {
    const chars = [...token];
    const i = at % chars.length;
    chars[i] = String.fromCharCode(chars[i]!.charCodeAt(0) ^ (1 << bit));
    await readPosition(chars.join(''), reading).catch((e) => assert.ok(isInvalid(e), String(e)));
  };
  await fc.assert(
    fc.asyncProperty(position, fc.nat(4_000), fc.nat(6), fc.nat(4_000), async (p, at, bit, cut) => {
      const sealed = await sealToken(p, sealer);
      const open = openToken(p);
      await flip(open, at, bit, undefined);
      await flip(sealed, at, bit, sealer);
      const i = 6 + (at % (sealed.length - 6));
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      await assert.rejects(readPosition(changed, sealer), isInvalid);
      await assert.rejects(readPosition(sealed.slice(0, cut % sealed.length), sealer), isInvalid);
      await assert.rejects(readPosition(open.slice(0, cut % open.length)), isInvalid);
      await assert.rejects(readPosition(sealed), isInvalid);
      await assert.rejects(readPosition(open, undefined, false), isInvalid);
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 60 }), async (text, bytes) => {
      for (const token of [
        text,
        `v0.${text}`,
        `v1.k1.${text}`,
        `v0.${toBase64Url(bytes)}`,
        `v1.k1.${toBase64Url(bytes)}`,
      ]) {
        await readPosition(token, sealer).catch((e) => assert.ok(isInvalid(e), String(e)));
      }
    }),
    { numRuns: 500 },
  );
});

test('an older key still opens tokens, an unknown key does not, and sizes are bounded', async () => {
  const p: Position = { mode: 'sort', tuple: [1, 'x'], id: 'a', backwards: false, fingerprint: {} };
  const token = await sealToken(p, sealer);
  const rotated = webCryptoSealer([
    { id: 'k2', secret: secret(2) },
    { id: 'k1', secret: secret(1) },
  ]);
  assert.deepEqual(await readPosition(token, rotated), p);
  assert.match(await sealToken(p, rotated), /^v1\.k2\./);
  await assert.rejects(readPosition(token, webCryptoSealer([{ id: 'k1', secret: secret(9) }])), isInvalid);
  assert.throws(() => openToken({ ...p, tuple: ['x'.repeat(MAX_TOKEN_LENGTH)] }), isInvalid);
  assert.throws(() => webCryptoSealer([{ id: 'k1', secret: new Uint8Array(16) }]), RangeError);
});

test('a token is refused to another caller, for another list, and after its expiry', async () => {
  const list = { index: 'news', query: { term: { a: 1 } }, sort: [{ n: 'asc' }] };
  const p: Position = {
    mode: 'sort',
    tuple: [3],
    id: 'x',
    backwards: false,
    fingerprint: fingerprint(list),
    principal: 'ann',
    expiresAt: 1_000,
  };
  const fine = { fingerprint: fingerprint({ ...list }), principal: 'ann', now: 999 };
  checkPosition(p, fine);
  const code = (expected: Parameters<typeof checkPosition>[1]): string => {
    try {
      checkPosition(p, expected);
    } catch (e) {
      return e instanceof CursorError ? `${e.status} ${e.code} ${e.changed.join()}` : 'other';
    }
    return 'fine';
  };
  assert.equal(code({ ...fine, principal: 'bob' }), '403 cursor-forbidden ');
  assert.equal(code({ ...fine, now: 1_000 }), '410 cursor-expired ');
  assert.equal(
    code({ ...fine, fingerprint: fingerprint({ ...list, query: {}, sort: [] }) }),
    '400 cursor-mismatch query,sort',
  );
  const built = nextTokenFrom({ sort: [3], id: 'x' }, { fingerprint: fingerprint(list) });
  assert.deepEqual((await readToken(built, { fingerprint: fingerprint(list), now: 0 })).tuple, [3]);
});

test('fingerprints ignore the order of keys; texts compare as UTF-8 does; base64url round-trips', () => {
  assert.equal(
    canonicalText({ b: 1, a: [true, null, 2n] }),
    canonicalText({ a: [true, null, 2n], b: 1, c: undefined }),
  );
  assert.notDeepEqual(fingerprint({ q: { a: 1 } }), fingerprint({ q: { a: '1' } }));
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  fc.assert(
    fc.property(text, text, fc.uint8Array(), (a, b, bytes) => {
      assert.equal(Math.sign(compareText(a, b)), Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      assert.deepEqual(fromBase64Url(toBase64Url(bytes)), bytes);
      assert.equal(toBase64Url(bytes), Buffer.from(bytes).toString('base64url'));
    }),
  );
});
