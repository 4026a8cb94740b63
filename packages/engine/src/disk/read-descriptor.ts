// How does a thread read a file that it, or another one, has open? Until there is no more: the system may give less than is
// asked for.

import { readSync } from 'node:fs';

/** As `DiskFile.readSync`, from a file that this or another thread has open. */
export function readDescriptor(descriptor: number, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const count = readSync(descriptor, into, done, into.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
