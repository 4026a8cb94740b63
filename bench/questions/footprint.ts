// How much room does a document take? Bytes on disk and in memory, beside the bytes of its JSON.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ask, INDEX, type Question, type Row, type Setting } from '../question.ts';

export const footprint: Question = { name: 'footprint', asks: 'How much room does a document take?', run };

async function run(setting: Setting): Promise<Row[]> {
  const { docs, jsonBytes } = setting.truth;
  const disk: Row = { name: 'on disk', unit: 'bytes/doc', figures: {} };
  const memory: Row = { name: 'in memory (resident)', unit: 'bytes/doc', figures: {} };
  const share: Row = { name: 'in memory (resident)', unit: '× JSON', figures: {} };
  for (const target of setting.targets) {
    await ask(target, 'POST', `/${INDEX}/_flush`);
    disk.figures[target.name] = { median: folderBytes(target.data) / docs };
    const resident = residentBytes(target.pid);
    if (resident === undefined) continue;
    memory.figures[target.name] = { median: resident / docs };
    share.figures[target.name] = { median: resident / jsonBytes };
  }
  return [
    { name: 'JSON', unit: 'bytes/doc', figures: { octavo: { median: jsonBytes / docs } } },
    disk,
    memory,
    share,
  ];
}

function folderBytes(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    try {
      const stat = statSync(join(folder, name));
      // Blocks rather than sizes: a file may be allocated ahead, or have holes.
      if (stat.isFile()) bytes += Math.min(stat.size, stat.blocks * 512);
    } catch {
      // deleted by a merge meanwhile
    }
  }
  return bytes;
}

/** Linux only; undefined elsewhere. */
function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
