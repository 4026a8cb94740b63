// Bad requests get an answer and nothing more: thousands of valid requests with something broken, over real
// sockets to a real engine. Each is answered with a status below 500 and a body that names the fault, and the
// server goes on. OCTAVO_FUZZ_SEED and OCTAVO_FUZZ_RUNS replay and extend; one seed is one request.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, test } from 'node:test';
import { createServer, listen } from '../src/serve.ts';
import { badRequest, type RawRequest } from './mutations.ts';
import { ownEngine } from './own-engine.ts';

const FIRST = Number(process.env['OCTAVO_FUZZ_SEED'] ?? 1);
const RUNS = Number(process.env['OCTAVO_FUZZ_RUNS'] ?? 3_000);

const { engine, end } = await ownEngine();
const app = await createServer(engine);
const url = new URL(await listen(app, { port: 0 }));
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
after(async () => {
  agent.destroy();
  await app.close();
  await end();
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function send({ method, target, headers, body }: RawRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: url.hostname,
        port: url.port,
        agent,
        method,
        path: target,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': body.length }) },
      },
      (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            type: String(reply.headers['content-type']),
            text: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Refusals that the peer, too, answers with a 5xx. More copies than one node holds are unavailable. */
const PEERS_OWN = [
  'search_exception',
  'unavailable_shards_exception',
  'must block write operations to resize index',
  'must be a multiple of the target shards',
  'failed to execute term vector request',
];

/** What is wrong with an answer, if anything. */
function complaint(method: string, { status, type, text }: Answer): string | undefined {
  if (status >= 500 && !PEERS_OWN.some((each) => text.includes(each))) return 'a 5xx';
  if (method === 'HEAD' || !type.includes('json')) return undefined;
  let body: { error?: { type?: string; reason?: string } | string };
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    return 'not JSON';
  }
  if (status !== 400 || typeof body.error === 'string') return undefined;
  return typeof body.error?.type === 'string' && typeof body.error.reason === 'string'
    ? undefined
    : 'no type and reason';
}

const json = (method: string, target: string, body?: unknown): RawRequest => ({
  method,
  target,
  headers: { 'content-type': 'application/json' },
  body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
});

const STEADY = {
  mappings: {
    properties: {
      ...{ n: { type: 'long' }, f: { type: 'double' }, k: { type: 'keyword' }, t: { type: 'text' } },
      ...{ d: { type: 'date' }, b: { type: 'boolean' }, ip: { type: 'ip' }, u: { type: 'unsigned_long' } },
      ...{ h: { type: 'half_float' }, g: { type: 'geo_point' }, bin: { type: 'binary' } },
      s: { type: 'scaled_float', scaling_factor: 10 },
    },
  },
};

test(`${RUNS} bad requests from seed ${FIRST}: each is answered, and the server stands`, async () => {
  await send(json('PUT', '/steady', STEADY));
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
    const bad = badRequest(seed);
    const answer = await send(bad);
    const wrong = complaint(bad.method, answer);
    assert.equal(
      wrong,
      undefined,
      `OCTAVO_FUZZ_SEED=${seed} OCTAVO_FUZZ_RUNS=1: ${wrong}: ${bad.method} ${bad.target} ${bad.body}\n→ ${answer.status} ${answer.text}`,
    );
    if (seed % 500 !== 0) continue;
    await send(json('DELETE', '/sound'));
    // A request may have set that indices are not made by writes.
    const unset = { 'action.auto_create_index': null };
    await send(json('PUT', '/_cluster/settings', { persistent: unset, transient: unset }));
    const written = await send(json('PUT', '/sound/_doc/1', { seed }));
    assert.equal(written.status, 201, written.text);
    const found = await send(json('POST', '/sound/_search', { query: { term: { seed } } }));
    assert.equal(JSON.parse(found.text).hits.total.value, 1);
  }
  assert.deepEqual(await engine.verify(), []);
});
