// The write load for measurements of reads under writes: an index whose first documents never change, and a
// file of bulk requests for it. Half of the requests' documents are new; the others replace existing ones.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BulkJob } from '../load/load.ts';
import { CONNECTIONS, createIndex, cutsOf } from './load-corpus.ts';
import { ask, type Setting, type Target } from './question.ts';

export const BACKGROUND_INDEX = 'bench-busy';
const BASE = 20_000;
const BATCH = 500;

export interface BackgroundWrites {
  /** The number of permanent documents: the first ones of the corpus, including deleted ones. */
  readonly base: number;
  /** The job that writes for `forMs`, at a rate in documents per second or as fast as the server accepts. */
  job(target: Target, forMs: number, docsPerSecond?: number): BulkJob;
  readonly batch: number;
}

export async function prepareBackgroundWrites(setting: Setting): Promise<BackgroundWrites> {
  const { truth, load } = setting;
  const base = Math.min(BASE, truth.docs);
  const batch = setting.smoke ? 50 : BATCH;
  for (const target of setting.servers) {
    await createIndex(target, BACKGROUND_INDEX);
    const cuts = cutsOf(setting, 0, base);
    const path = `/${BACKGROUND_INDEX}/_bulk?refresh=true`;
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
      path: `/${BACKGROUND_INDEX}/_bulk`,
      file,
      cuts,
      connections: docsPerSecond === undefined ? CONNECTIONS : 1,
      againForMs: forMs,
      ...(docsPerSecond !== undefined && { everyMs: (1000 * batch) / docsPerSecond }),
    }),
  };
}

export async function removeBackgroundWrites(setting: Setting): Promise<void> {
  for (const target of setting.servers) await ask(target, 'DELETE', `/${BACKGROUND_INDEX}`);
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
