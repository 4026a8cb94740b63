// A disk on which appends wait, for tests of what happens meanwhile.

import type { Disk, DiskFile } from '../src/disk/disk.ts';
import type { SimulatedDisk } from '../src/disk/simulated.ts';

/** The disk, on which what is written through waits for `gate`, once there is one. */
export function withGate(disk: SimulatedDisk, gate: () => Promise<void> | undefined): Disk {
  const waiting = <T extends object>(target: T, name: string, instead: (...args: never[]) => unknown): T =>
    new Proxy(target, {
      get(_, key) {
        if (key === name) return instead;
        const member: unknown = Reflect.get(target, key);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  return waiting<Disk>(disk, 'open', async (name: string, options?: { create?: boolean }) => {
    const file = await disk.open(name, options);
    return waiting<DiskFile>(file, 'writeThrough', async (parts: Uint8Array[], position: number) => {
      await gate();
      return file.writeThrough(parts, position);
    });
  });
}
