// Other processes and other languages can read sealed tokens. The fixtures have tokens of a server with a known key; the reader
// in Java (packages/paging/test) passes the same ones.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Engine } from '@octavo/engine';
import { CursorError, readPosition } from '@octavo/paging';
import { openSealer } from './sealer.ts';

const FILE = new URL('../../../../conformance/tokens/server.json', import.meta.url);

interface Case {
  readonly name: string;
  readonly token: string;
  readonly error?: string;
  readonly position?: { readonly tuple: readonly unknown[] };
}

test('fixtures: tokens of a server', async () => {
  const { keys, cases } = JSON.parse(readFileSync(FILE, 'utf8')) as {
    keys: readonly { readonly id: string; readonly secret: string }[];
    cases: readonly Case[];
  };
  const kept = Buffer.from(keys[0]!.secret, 'hex').toString('base64');
  const settings = { get: (_kind: string, id: string) => (id === keys[0]!.id ? kept : undefined) };
  const sealer = await openSealer({ settings } as unknown as Engine);
  for (const { name, token, error, position } of cases) {
    if (error !== undefined) {
      await assert.rejects(
        readPosition(token, sealer),
        (e) => e instanceof CursorError && e.code === error,
        name,
      );
      continue;
    }
    const read = await readPosition(token, sealer);
    const tuple = read.tuple.map((value) => (value instanceof Date ? { date: value.getTime() } : value));
    assert.deepEqual({ ...read, tuple }, position, name);
  }
});
