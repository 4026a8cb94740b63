// The files of a simulated disk: their names, and copies in which some are damaged or missing.

import { SimulatedDisk } from '../src/disk/simulated.ts';

const FOLDERS = ['catalog', 'log', 'segments'];

/** The names of all files, sorted. */
export async function namesOf(disk: SimulatedDisk): Promise<string[]> {
  const names: string[] = [];
  for (const folder of FOLDERS) for (const name of await disk.list(folder)) names.push(`${folder}/${name}`);
  return names.sort();
}

/** The same files, some of them with other bytes, or without some. */
export async function changed(
  disk: SimulatedDisk,
  files: Readonly<Record<string, Uint8Array | undefined>>,
): Promise<SimulatedDisk> {
  const copy = new SimulatedDisk();
  for (const name of await namesOf(disk)) {
    const bytes = name in files ? files[name] : await disk.read(name);
    if (bytes === undefined) continue;
    const file = await copy.open(name, { create: true });
    await file.write([bytes], 0);
    await file.sync();
  }
  for (const folder of FOLDERS) await copy.syncFolder(folder);
  return copy;
}
