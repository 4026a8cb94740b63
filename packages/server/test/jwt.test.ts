// JWTs of a trusted issuer: signed by its published keys, for this audience, not expired; scopes from their
// claim.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createJwtVerifier } from '../src/access/jwt/jwt-verifier.ts';
import { server } from './ask.ts';

const { publicKey, privateKey } = await generateKeyPair('ES256');
const other = await generateKeyPair('ES256');
let asked = 0;
const issuer = createServer((_request, response) => {
  asked++;
  exportJWK(publicKey).then((jwk) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ keys: [{ ...jwk, kid: 'k1', alg: 'ES256' }] })),
  );
});
await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
after(() => issuer.close());
const jwks = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`;
const jwt = { jwks, issuer: 'https://issuer.example', audience: 'octavo' };
const { ask } = await server({ jwt });

type Claims = Record<string, unknown>;

async function token(claims: Claims = {}, key = privateKey, life = '5m'): Promise<Record<string, string>> {
  const signed = await new SignJWT({
    sub: 'ada',
    iss: jwt.issuer,
    aud: jwt.audience,
    scope: 'search:write nonsense',
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setIssuedAt()
    .setExpirationTime(life)
    .sign(key);
  return { authorization: `Bearer ${signed}` };
}

test('a good one is let in, with its scopes, indices and filter', async () => {
  const good = await token();
  assert.equal((await ask('PUT /jw/_doc/1', { shop: 'a' }, good)).status, 201);
  assert.equal((await ask('PUT /jw/_doc/2', { shop: 'b' }, good)).status, 201);
  assert.equal((await ask('DELETE /jw', undefined, good)).status, 403);
  const narrow = await token({
    scope: ['search:read'],
    octavo_indices: ['jw'],
    octavo_filter: { term: { shop: 'a' } },
  });
  assert.equal((await ask('POST /jw/_search', {}, narrow)).body.hits.total.value, 1);
  assert.equal((await ask('POST /else/_search', {}, narrow)).status, 403);
  assert.equal(asked, 1, 'the keys are kept');
});

test('others are not', async () => {
  assert.equal((await ask('GET /jw/_doc/1')).status, 401);
  const bad = [
    await token({ iss: 'https://evil.example' }),
    await token({ aud: 'else' }),
    await token({}, other.privateKey),
    await token({}, privateKey, '-1m'),
    await token({ octavo_indices: 'jw' }),
  ];
  const [head = '', body = ''] = (await token()).authorization!.slice('Bearer '.length).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  bad.push({ authorization: `Bearer ${none}.${body}.` }, { authorization: `Bearer ${head}.${body}.AAAA` });
  for (const [i, headers] of bad.entries()) {
    assert.equal((await ask('GET /jw/_doc/1', undefined, headers)).status, 401, String(i));
  }
});

test('the address of the keys must be http or https', () => {
  assert.throws(() => createJwtVerifier({ ...jwt, jwks: 'file:///etc/passwd' }), TypeError);
});
