// The answers of OpenSearch 3.1 to the same requests over the same documents (fixtures/peer-answers). Where ours
// differ on purpose, a request is not among them but in docs/reference/wire.md.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { peerAnswers, plainAnswer } from './peer-answers.ts';

for (const name of ['nested', 'ranges-and-likeness', 'suggest']) {
  test(`${name}: answers are those of the peer`, async () => {
    const { ask } = await server();
    for (const { request, body, isSetup, status, answer } of peerAnswers(name)) {
      const reply = await ask(request, body);
      const told = `${request} ${JSON.stringify(body)}`;
      if (isSetup) assert.ok(reply.status < 300, told);
      else {
        assert.deepEqual(plainAnswer(reply.body), answer, told);
        assert.equal(reply.status, status, told);
      }
    }
  });
}
