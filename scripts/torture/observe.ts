// What is in a data directory: it is opened as `octavo serve` opens it, and asked over HTTP for everything that a life knows.

import { openEngine, openRecordsAt, startRecordsNotes } from '../../packages/server/src/cli/open-stores.ts';
import { readRecordsNote } from '../../packages/server/src/records-notes.ts';
import { createServer } from '../../packages/server/src/serve.ts';
import type { Observed } from './history.ts';

/** What a start came to. */
export type Opened =
  | { readonly refused: string }
  | { readonly observed: Observed; readonly notes: readonly string[]; readonly failures: readonly string[] };

/** Opens a directory and reads all of it. `key` is sent where there is one. */
export async function observe(dir: string, key: string | undefined): Promise<Opened> {
  const notes: string[] = [];
  try {
    const engine = await openEngine(dir, {}, (note) => notes.push(note));
    try {
      const records = await openRecordsAt({ data: dir }, Promise.resolve(readRecordsNote(engine.settings)));
      const kept = await startRecordsNotes(engine.settings, records, { data: dir });
      const server = await createServer(engine, { records, notes: kept, logLevel: 'silent' });
      try {
        const url = await server.listen({ port: 0, host: '127.0.0.1' });
        return { ...(await readAll(url, key)), notes };
      } finally {
        await server.close();
        await kept.close();
        await records.close();
      }
    } finally {
      await engine.close();
    }
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

interface Page {
  readonly [name: string]: unknown;
}

/** Everything the server tells; an answer that is not 2xx is a failure by its path. */
export async function readAll(
  url: string,
  key: string | undefined,
): Promise<{ observed: Map<string, string>; failures: string[] }> {
  const observed = new Map<string, string>();
  const failures: string[] = [];
  const ask = async (path: string, body?: object): Promise<Page> => {
    const reply = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await reply.text();
    if (!reply.ok) {
      failures.push(`${path}: ${reply.status} ${text.slice(0, 200)}`);
      return {};
    }
    try {
      return JSON.parse(text) as Page;
    } catch {
      throw new Error(`${path} is answered with invalid JSON: ${text.slice(0, 200)}`);
    }
  };
  const open = await fetch(`${url}/_cat/indices?format=json`);
  if (open.status === 401) observed.set('key', 'needed');
  await open.arrayBuffer();
  const indices = (await ask('/_cat/indices?format=json')) as unknown as { index: string }[];
  for (const { index } of Array.isArray(indices) ? indices : []) {
    observed.set(`index ${index}`, 'there');
    const found = await ask(`/${index}/_search`, { size: 10_000, query: { match_all: {} } });
    const hits =
      (found['hits'] as { hits: { _id: string; _source: { state: string } }[] } | undefined)?.hits ?? [];
    for (const { _id, _source } of hits) observed.set(`document ${index}/${_id}`, _source.state);
  }
  for (let path: string | undefined = '/api/newsfeed?limit=100'; path !== undefined; ) {
    const page: Page = await ask(path);
    for (const { text } of (page['items'] ?? []) as { text: string }[]) observed.set(text, 'there');
    const next = page['next_max_id'] as string | undefined;
    path = next === undefined ? undefined : `/api/newsfeed?limit=100&max_id=${next}`;
  }
  const sums = new Map<string, bigint>();
  for (let path: string | undefined = '/api/transactions?limit=100'; path !== undefined; ) {
    const page: Page = await ask(path);
    for (const each of (page['items'] ?? []) as {
      from: string;
      to: string;
      money: string;
      external_id: string;
    }[]) {
      const { from, to, money, external_id } = each;
      observed.set(`transfer ${external_id}`, `${from} ${to} ${money}`);
      const minor = BigInt(money.replace('.', ''));
      sums.set(from, (sums.get(from) ?? 0n) - minor);
      sums.set(to, (sums.get(to) ?? 0n) + minor);
    }
    const next = page['next_token'] as string | undefined;
    path =
      next === undefined ? undefined : `/api/transactions?limit=100&next_token=${encodeURIComponent(next)}`;
  }
  const accounts = ((await ask('/api/accounts?limit=100'))['items'] ?? []) as {
    id: string;
    balance: string;
  }[];
  for (const { id, balance } of accounts)
    if (BigInt(balance.replace('.', '')) !== (sums.get(id) ?? 0n))
      observed.set(`balance of ${id}`, `${balance}, and its transfers come to ${sums.get(id) ?? 0n}`);
  return { observed, failures };
}
