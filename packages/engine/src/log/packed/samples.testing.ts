// Sample data for the packing tests: frames of generated documents, in the format of the log.

import { seededRandom } from '../../disk/random.ts';

const NAMES = ['title', 'body', 'section', 'gmt_modified', 'size', 'näme', '标题'];
const SYLLABLES = ['ba', 'ko', 'ri', 'tu', 'ne', 'so', 'lá', '搜索', '页'];

/** About so many bytes of documents, each behind a header of 28 bytes. */
export function documents(bytes: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const word = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => SYLLABLES[Math.floor(random() ** 2 * 9)]).join(
      '',
    );
  const parts: Buffer[] = [];
  for (let made = 0, i = 0; made < bytes; i++) {
    const text = Array.from({ length: 3 + Math.floor(random() * 60) }, word).join(' ');
    const json = JSON.stringify({
      id: `doc-${i * 7919}`,
      [NAMES[i % 7]!]: text,
      size: Math.floor(random() * 9999),
    });
    const header = Buffer.alloc(28);
    header[0] = 1;
    header.writeUInt32LE(i, 8);
    header.writeUInt32LE(json.length, 24);
    parts.push(header, Buffer.from(json));
    made += 28 + parts.at(-1)!.length;
  }
  return new Uint8Array(Buffer.concat(parts));
}
