// Long bulk bodies lie in memory that threads share, which is used again only when the whole bulk is written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const DOCS = 2_000;
const text = 'word '.repeat(20);

/** A bulk of so many documents, all of which name `round`. */
function bodyOf(round: number): string {
  const lines = Array.from(
    { length: DOCS },
    (_, n) => `{"index":{"_id":"${round}-${n}"}}\n${sourceOf(round, n)}\n`,
  );
  return lines.join('');
}

function sourceOf(round: number, n: number): string {
  return JSON.stringify({ round, n, text: `${text}${round}x${n}` });
}

test(
  'long bodies on connections are shared, one after the other and side by side',
  onlyEmbedded('no shared bodies'),
  async () => {
    const { app, engine } = await server();
    const buffers = new Set<ArrayBufferLike>();
    const write = engine.write.bind(engine);
    engine.write = (ops) => {
      buffers.add(ops[0]!.source!.buffer);
      return write(ops);
    };
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const send = async (round: number): Promise<void> => {
      const reply = await fetch(`${url}/bodies/_bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: bodyOf(round),
      });
      const { errors, items } = (await reply.json()) as { errors: boolean; items: unknown[] };
      assert.equal(errors, false);
      assert.equal(items.length, DOCS);
    };
    for (let round = 0; round < 12; round += 4)
      await Promise.all([round, round + 1, round + 2, round + 3].map((each) => send(each)));
    for (const buffer of buffers) assert.ok(buffer instanceof SharedArrayBuffer);
    assert.ok(buffers.size <= 4, `${buffers.size} buffers for four bodies at a time`);
    for (let round = 0; round < 12; round++) {
      for (const n of [0, 1, DOCS >> 1, DOCS - 1]) {
        const { _source } = (await (await fetch(`${url}/bodies/_doc/${round}-${n}`)).json()) as {
          _source: object;
        };
        assert.equal(JSON.stringify(_source), sourceOf(round, n));
      }
      const found = await fetch(`${url}/bodies/_count?q=text:${round}x7`);
      assert.equal(((await found.json()) as { count: number }).count, 1);
    }
  },
);
