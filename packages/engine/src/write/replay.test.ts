// Is what a replay brings back the same whether a thread reads the documents or not? Versions, deletes, routings, documents
// that are refused today and ones that bring new fields, over several commits and two indices.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sealedBytes } from '../../test/sealed.ts';
import { buildAnalysis } from '../analysis/registry.ts';
import type { IndexInfo } from '../api.ts';
import { SimulatedDisk } from '../disk/simulated.ts';
import { DocumentLog } from '../log/log.ts';
import { parseMapping } from '../mapping/mapping.ts';
import { createMemory } from '../memory/arenas.ts';
import { Tail } from '../tail/tail.ts';
import { DocumentsAhead } from './ahead.ts';
import { IndexState } from './index-state.ts';
import { replay } from './replay.ts';
import { Visibility } from './visibility.ts';

const memory = createMemory();
const ahead = new DocumentsAhead({ threadFrom: 1 });
after(() => ahead.close());

function stateOf(number: number): IndexState {
  const analysis = buildAnalysis({});
  const mappings = { properties: { text: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } } };
  const info = {
    name: `i${number}`,
    uuid: `u${number}`,
    state: 'open',
    settings: {},
  } as unknown as IndexInfo;
  return new IndexState(number, info, parseMapping(mappings, analysis), analysis, new Visibility());
}

function source(i: number): Buffer {
  const text = Array.from({ length: 60 }, (_, w) => `w${(i * 31 + w * w) % 501}`).join(' ');
  return Buffer.from(
    JSON.stringify({
      text: `${text} Größe ${i}`,
      k: `k${i % 70}`,
      n: i,
      ...(i > 9_000 && { [`f${i % 3}`]: i }),
    }),
  );
}

async function logOf(): Promise<DocumentLog> {
  const log = await DocumentLog.open(new SimulatedDisk(), { ballastBytes: 0, chunkBytes: 1 << 20 });
  let seqNo = 0;
  for (let commit = 1; commit <= 90; commit++) {
    const frame = log.beginFrame(commit);
    for (let at = 0; at < 110; at++) {
      const i = commit * 101 + at;
      const record = {
        indexNumber: 1 + (i % 13 === 0 ? 1 : 0),
        seqNo: seqNo++,
        version: 1 + (i % 3),
        id: Buffer.from(`d${i}`),
        type: undefined,
        routing: i % 17 === 0 ? `r${i}` : undefined,
      };
      if (i % 19 === 0) frame.delete(record);
      else frame.index({ ...record, source: source(i) });
    }
    await log.append([frame]);
  }
  return log;
}

async function replayed(log: DocumentLog, from: number, beside?: DocumentsAhead): Promise<object> {
  const states = new Map([1, 2].map((number) => [number, stateOf(number)]));
  states.get(2)!.watermark = 20;
  await replay(from, states, {
    log,
    ...(beside && { ahead: beside }),
    now: () => 0,
    newId: () => '',
    newTail: () => new Tail(memory, { limit: 2_500 }),
    source: () => new Uint8Array(0),
  });
  return [...states.values()].map((state) => ({
    next: state.nextSeqNo,
    mapping: state.mapping.toJson(),
    tails: state.tails.map((tail) => {
      const deaths = tail.deaths();
      const died = Array.from({ length: deaths.count }, (_, at) => [deaths.doc(at), deaths.commit(at)]);
      return { bytes: sealedBytes(tail).toString('base64'), died };
    }),
  }));
}

test('a replay brings back the same with a thread and without', async () => {
  const log = await logOf();
  const state = stateOf(3);
  while (!ahead.isReady) {
    ahead.of([{ op: { kind: 'index', index: 'i3', source: source(1) }, state }], 1_000)?.end();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (const from of [0, 33, 90])
    assert.deepEqual(await replayed(log, from, ahead), await replayed(log, from));
  await log.close();
});
