// Two servers over a cluster that an Octavo plays, and over the same records: an administrator, three
// indices, and the events of their documents. For cluster-events.test.ts only.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Engine, JsonObject } from '@octavo/engine';
import type { Records } from '@octavo/records';
import { parseClusterAddress } from '../src/proxy/client/address.ts';
import { createEmptyEngine } from '../src/proxy/empty-engine.ts';
import { createServer, listen, openCluster } from '../src/serve.ts';
import { type Answer, askOver } from './ask.ts';
import { ownEngine } from './own-engine.ts';
import { openStore } from './stores.ts';

const { engine: opened, end } = await ownEngine();
export const engine: Engine = opened;
const inner = await createServer(engine, { logLevel: 'silent' });
const address = parseClusterAddress(await inner.listen({ port: 0, host: '127.0.0.1' }));
export const records: Records = await openStore();
/** A server over it. */
export const over = async (store: Records, limits: object = {}): ReturnType<typeof askOver> =>
  await askOver(createEmptyEngine(), {
    ...{ records: store, cluster: await openCluster(address), logLevel: 'silent' as const, limits },
    webhookAllowPrivate: true,
  });
/** Two servers over the same records. */
export const here: Awaited<ReturnType<typeof askOver>> = await over(records);
export const there: typeof here = await over(records);
await listen(there.app, { port: 0 });
after(async () => {
  await Promise.all([here.app.close(), there.app.close()]);
  await inner.close();
  await end();
  await records.close();
});

export const admin: { readonly authorization: string } = {
  authorization: `Bearer ${(await here.ask('POST /api/keys', { name: 'admin', scopes: ['*'] })).body.token}`,
};
export type Send = (line: string, body?: unknown) => Promise<Answer>;
export const root: Send = (line, body) => here.ask(line, body, admin);
/** Who has a key, and the events that it is told of. */
export const keyOf = async (
  grant: object,
): Promise<{ send: Send; events: (after: string) => Promise<string[]> }> => {
  const { token } = (await root('POST /api/keys', { name: 'k', ...grant })).body;
  const as = { authorization: `Bearer ${token}` };
  return {
    send: (line, body) => here.ask(line, body, as),
    events: async (after) => {
      const reply = await here.ask(`GET /api/events?after=${after}&limit=1000`, undefined, as);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.items.map(({ type, subject }: { type: string; subject: string }) =>
        [type.replace('octavo.document.', ''), subject].join(' '),
      );
    },
  };
};
/** Where events go on from now. */
export const place = async (): Promise<string> => (await root('GET /api/events')).body.next as string;

export const properties: JsonObject = { shop: { type: 'keyword' }, title: { type: 'text' } };
for (const index of ['goods-1', 'goods-2', 'other']) {
  const aliases = index === 'goods-1' ? { shelf: {} } : {};
  // Searches see nothing until it is refreshed, as in a cluster.
  const settings = { index: { refresh_interval: '-1' } };
  assert.equal((await root(`PUT /${index}`, { mappings: { properties }, aliases, settings })).status, 200);
}

/** An event of a document. */
export interface Told {
  readonly id: string;
  readonly source: string;
  readonly time: string;
  readonly type: string;
  readonly subject: string;
  readonly data: { readonly seq_no: number };
}

/** A body of `_bulk`. */
export const bulk = (...lines: object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
