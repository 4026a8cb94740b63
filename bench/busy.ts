// What goes on beside, when reads are measured under writes? An index of its own whose first documents stay what they are,
// and a file of bulk requests for it: half new documents, half the ones that are there, written again.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECTIONS, createIndex, cutsOf } from './corpus-load.ts';
import type { BulkJob } from './load.ts';
import { ask, type Setting, type Target } from './question.ts';

export const BUSY = 'bench-busy';
const BASE = 20_000;
const BATCH = 500;

export interface Busy {
  /** Documents that are there throughout: the first of the corpus, deleted ones among them. */
  readonly base: number;
  /** The writes, for so long; at a rate in documents a second, or as fast as they are taken. */
  job(target: Target, forMs: number, docsPerSecond?: number): BulkJob;
  readonly batch: number;
}

export async function makeBusy(setting: Setting): Promise<Busy> {
  const { truth, load } = setting;
  const base = Math.min(BASE, truth.docs);
  const batch = setting.smoke ? 50 : BATCH;
  for (const target of setting.servers) {
    await createIndex(target, BUSY);
    const cuts = cutsOf(setting, 0, base);
    const path = `/${BUSY}/_bulk?refresh=true`;
    const { file } = setting;
    const done = await load.run({
      kind: 'bulk',
      url: target.url,
      path,
      file,
      cuts,
      connections: CONNECTIONS,
    });
    if (done.error !== undefined) throw new Error(`${target.name}: ${done.error}`);
  }
  const { file, cuts } = mixed(setting, base, batch);
  return {
    base,
    batch,
    job: (target, forMs, docsPerSecond) => ({
      kind: 'bulk',
      url: target.url,
      path: `/${BUSY}/_bulk`,
      file,
      cuts,
      connections: docsPerSecond === undefined ? CONNECTIONS : 1,
      againForMs: forMs,
      ...(docsPerSecond !== undefined && { everyMs: (1000 * batch) / docsPerSecond }),
    }),
  };
}

export async function endBusy(setting: Setting): Promise<void> {
  for (const target of setting.servers) await ask(target, 'DELETE', `/${BUSY}`);
}

function mixed(setting: Setting, base: number, batch: number): { file: string; cuts: number[] } {
  const bytes = readFileSync(setting.file).subarray(0, setting.truth.offsets[base]);
  const lines = bytes.toString('latin1').split('\n');
  const cuts = [0];
  const requests: string[] = [];
  for (let doc = 0; doc < base; doc += batch) {
    let request = '';
    for (let i = doc; i < Math.min(base, doc + batch); i++) {
      request += `${i % 2 === 0 ? '{"index":{}}' : lines[2 * i]}\n${lines[2 * i + 1]}\n`;
    }
    requests.push(request);
    cuts.push((cuts.at(-1) ?? 0) + request.length);
  }
  const file = join(setting.folder, 'mixed.ndjson');
  writeFileSync(file, requests.join(''));
  return { file, cuts };
}
