// A disk on which appends or new files wait, for tests of what happens meanwhile.

import type { Disk, DiskFile } from '../src/disk/disk.ts';
import type { SimulatedDisk } from '../src/disk/simulated.ts';

/**
 * The disk, on which what is written through waits for what `gate` says of its file; or what makes a file.
 */
export function withGate(
  disk: SimulatedDisk,
  gate: (name: string) => Promise<void> | undefined,
  what: 'appends' | 'new files' = 'appends',
): Disk {
  const waiting = <T extends object>(target: T, name: string, instead: (...args: never[]) => unknown): T =>
    new Proxy(target, {
      get(_, key) {
        if (key === name) return instead;
        const member: unknown = Reflect.get(target, key);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  return waiting<Disk>(disk, 'open', async (name: string, options?: { create?: boolean }) => {
    if (what === 'new files') {
      if (options?.create === true) await gate(name);
      return disk.open(name, options);
    }
    const file = await disk.open(name, options);
    return waiting<DiskFile>(file, 'writeThrough', async (parts: Uint8Array[], position: number) => {
      await gate(name);
      return file.writeThrough(parts, position);
    });
  });
}
