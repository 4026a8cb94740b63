// Documents move to OpenSearch and back while a client writes to them and the command is killed.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask, assertHolds, migrate, progressIn, WritingClient } from '../../packages/server/test/migrate.ts';
import { serveProcess } from '../../packages/server/test/process.ts';

const INDEX = 'octavo-moved';
const MADE = JSON.stringify({
  settings: { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '1s' },
  mappings: { properties: { n: { type: 'long' }, word: { type: 'keyword' } } },
  aliases: { 'octavo-moved-some': { filter: { term: { word: 'w1ä' } } } },
});

/** Registers the tests. Skipped without OpenSearch. */
export function documentsMove(peer: { readonly url: string } | undefined): void {
  const skip = peer === undefined ? 'no OpenSearch here' : false;
  test('documents there and back under writes, killed twice each way', {
    skip,
    timeout: 1_800_000,
  }, async (t) => {
    const cluster = peer!.url;
    const folder = mkdtempSync(join(tmpdir(), 'octavo-migrate-'));
    const [here, again] = await Promise.all(
      ['here', 'again'].map((name) => serveProcess(join(folder, name), ['--quiet'])),
    );
    t.after(async () => {
      await Promise.all([here!.end(), again!.end()]);
      await ask(cluster, `DELETE /${INDEX}`);
      rmSync(folder, { recursive: true });
    });
    await ask(here!.url, `PUT /${INDEX}`, MADE);
    const first = new WritingClient(here!.url, INDEX);
    await first.fill(8_000);
    for (const [from, to, client] of [
      [here!.url, cluster, first],
      [cluster, again!.url, new WritingClient(cluster, INDEX, 5, first)],
    ] as const) {
      const state = join(folder, `${to === cluster ? 'there' : 'back'}.json`);
      const flags = ['--from', from, '--to', to, '--index', INDEX, '--state', state];
      for (const when of [() => progressIn(state) > 2_000, (err: string) => err.includes('copied')]) {
        const killed = migrate(flags, { when, signal: 'SIGKILL' });
        await client.until(killed);
        assert.equal((await killed).code, null, (await killed).err);
      }
      const under = migrate(flags);
      await client.until(under);
      assert.equal((await under).code, 0, (await under).err);
      const last = await migrate(flags);
      assert.equal(last.code, 0, last.err);
      await assertHolds(to, INDEX, client.model);
      const made = JSON.parse((await ask(to, `GET /${INDEX}`)).text)[INDEX];
      assert.equal(made.settings.index.number_of_shards, '2');
      assert.equal(made.mappings.properties.word.type, 'keyword');
      assert.deepEqual(Object.keys(made.aliases), ['octavo-moved-some']);
    }
  });
}
