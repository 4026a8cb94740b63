// Where do the bytes of a page lie that is answered at once? In memory that the page before it has left, never in what somebody
// still reads from, and not for good where it has grown large. Seen over sockets, with every answer's memory noted on the way.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { ownEngine } from '../../../test/own-engine.ts';
import { Lane } from '../../lane/lane.ts';
import { createServer, listen } from '../../serve.ts';

const DOCS = 40;
const MEBIBYTE = 1_048_576;
/** Of `wide`, eight are a page of less than a mebibyte, and twelve of more. */
const WIDE_BYTES = 100_000;

interface Answered {
  readonly bytes: Buffer;
  readonly hasLeft: boolean;
}

const { engine, end } = await ownEngine();
const app = await createServer(engine);
let port = 0;
let answered: Answered[] = [];

const { answerFrom } = Lane.prototype;
Lane.prototype.answerFrom = function (this: Lane, status, headers, bytes, start, end) {
  const hasLeft = answerFrom.call(this, status, headers, bytes, start, end);
  answered.push({ bytes, hasLeft });
  return hasLeft;
};

before(async () => {
  port = Number(new URL(await listen(app, { port: 0 })).port);
  const properties = { n: { type: 'integer' } };
  for (const [index, length] of [
    ['short', 10],
    ['wide', WIDE_BYTES],
  ] as const) {
    await engine.indices.create(index, { mappings: { dynamic: false, properties } });
    await engine.write(
      Array.from({ length: DOCS }, (_, n) => {
        const source = Buffer.from(
          JSON.stringify({ n, text: String.fromCharCode(97 + (n % 26)).repeat(length) }),
        );
        return { kind: 'index', index, id: `${n}`, source };
      }),
    );
  }
  // What was asked once is answered at once from then on.
  const client = await open();
  for (const [index, size] of [
    ['short', 2],
    ['wide', 8],
    ['wide', 12],
  ] as const) {
    await hits(client, index, 0, size);
    await hits(client, index, 1, size);
  }
  client.destroy();
});
after(async () => {
  Lane.prototype.answerFrom = answerFrom;
  await app.close();
  await end();
});
beforeEach(() => {
  answered = [];
});

const open = (): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
  });

function send(socket: Socket, index: string, from: number, size: number): void {
  const body = JSON.stringify({ query: { match_all: {} }, sort: ['n'], from, size });
  const head = `POST /${index}/_search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}

/** What so many answers say. */
async function read(socket: Socket, count: number): Promise<string[]> {
  const found: string[] = [];
  const pieces: Buffer[] = [];
  let [length, needed] = [0, 0];
  for await (const piece of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length < needed) continue;
    let came = Buffer.concat(pieces.splice(0));
    for (;;) {
      const head = came.indexOf('\r\n\r\n') + 4;
      const [, body] = /\r\ncontent-length: (\d+)/i.exec(came.toString('latin1', 0, head)) ?? [];
      needed = head + Number(body ?? 0);
      if (head < 4 || came.length < needed) break;
      found.push(came.toString('utf8', head, needed));
      came = came.subarray(needed);
    }
    pieces.push(came);
    length = came.length;
    if (found.length >= count) break;
  }
  return found;
}

/** Ids and texts of a page. */
const shown = (body: string): string[] =>
  JSON.parse(body).hits.hits.map(
    ({ _id, _source }: { _id: string; _source: { text: string } }) =>
      `${_id} ${new Set(_source.text).size}${_source.text[0]}`,
  );

const due = (from: number, size: number): string[] =>
  Array.from({ length: size }, (_, i) => from + i).map((n) => `${n} 1${String.fromCharCode(97 + (n % 26))}`);

async function hits(socket: Socket, index: string, from: number, size: number): Promise<void> {
  send(socket, index, from, size);
  const [body] = await read(socket, 1);
  assert.deepEqual(shown(body!), due(from, size));
}

test('pages are written one after another into the same memory', async () => {
  const [one, other] = [await open(), await open()];
  for (let from = 2; from < 12; from++) await hits(from % 2 ? one : other, 'short', from, 2);
  assert.equal(answered.length, 10);
  assert.equal(new Set(answered.map(({ bytes }) => bytes)).size, 1);
  for (const socket of [one, other]) socket.destroy();
});

test('memory that has grown is used again, but for what has grown beyond a mebibyte', async () => {
  const client = await open();
  for (const size of [8, 2, 12, 2, 2])
    await hits(client, size === 2 ? 'short' : 'wide', answered.length + 12, size);
  const [wide, after, large, next, last] = answered.map(({ bytes }) => bytes);
  assert.ok(wide!.length > 8 * WIDE_BYTES && wide!.length <= MEBIBYTE);
  assert.equal(after, wide);
  assert.ok(large!.length > MEBIBYTE);
  assert.ok(next!.length < MEBIBYTE && next !== wide);
  assert.equal(last, next);
  client.destroy();
});

test('what a slow reader has not got yet is not written over', async () => {
  const [slow, quick] = [await open(), await open()];
  slow.pause();
  // Its socket holds some pages, then one is stuck.
  let asked = 0;
  for (; answered.at(-1)?.hasLeft !== false; asked++) {
    assert.ok(asked < 100, 'no socket holds so much');
    send(slow, 'wide', asked % 30, 8);
    await eventually(() => assert.equal(answered.length, asked + 1));
  }
  const stuck = answered.at(-1)!.bytes;
  for (let from = 20; from < 30; from++)
    await hits(quick, from % 3 ? 'short' : 'wide', from, from % 3 ? 2 : 8);
  assert.equal(answered.length, asked + 10);
  assert.ok(answered.slice(asked).every(({ bytes }) => bytes !== stuck));
  const bodies = await read(slow, asked);
  assert.deepEqual(
    bodies.map(shown),
    bodies.map((_, i) => due(i % 30, 8)),
  );
  for (const socket of [slow, quick]) socket.destroy();
});

test('a page that is asked for again and again has memory of its own', async () => {
  const client = await open();
  for (let i = 0; i < 5; i++) await hits(client, 'short', 35, 2);
  await hits(client, 'short', 36, 2);
  const [first, second, third, ...more] = answered.map(({ bytes }) => bytes);
  assert.equal(second, first);
  assert.notEqual(third, first);
  assert.deepEqual(
    more.map((bytes) => bytes === third),
    [true, true, false],
  );
  assert.equal(more.at(-1), first);
  client.destroy();
});
