// Reads a file by the descriptor that this or another thread has opened. One read may return fewer bytes than
// asked, so it reads until the end of the file or of the buffer.

import { readSync } from 'node:fs';

/** As `DiskFile.readSync`, by descriptor. */
export function readDescriptor(descriptor: number, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const count = readSync(descriptor, into, done, into.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
