// A small, exact codec for log tests. It packs runs of one byte, mixed with a byte of the vocabulary, so that another
// vocabulary gives another result.

import { UNIT } from '../packed/word-packing.ts';
import type { Codec } from './codec.ts';

/** `pays` decides whether there is a vocabulary for a sample. */
export function runsCodec(pays: (sample: Uint8Array) => boolean = () => true): Codec {
  return {
    learn: (sample) =>
      pays(sample)
        ? Uint8Array.of(
            0x76,
            sample.reduce((sum, byte) => sum ^ byte, 1),
            ...'words'
              .repeat(9)
              .split('')
              .map((letter) => letter.charCodeAt(0)),
          )
        : undefined,
    open(vocabulary) {
      if (vocabulary[0] !== 0x76) throw new Error('no vocabulary');
      const key = vocabulary[1]!;
      return {
        pack(bytes) {
          const units = Array.from({ length: Math.ceil(bytes.length / UNIT) }, (_, unit) =>
            packUnit(bytes.subarray(unit * UNIT, (unit + 1) * UNIT), key),
          );
          let end = 0;
          const ends = Uint32Array.from(units, (unit) => (end += unit.length));
          return { packed: new Uint8Array(Buffer.concat(units)), ends };
        },
        unpack(unit, length, into, at, upTo = length) {
          const bytes: number[] = [];
          if (unit.length % 2 !== 0) return false;
          for (let i = 0; i < unit.length; i += 2) {
            if (unit[i] === 0 || bytes.length + unit[i]! > length) return false;
            for (let n = 0; n < unit[i]!; n++) bytes.push(unit[i + 1]! ^ key);
          }
          if (bytes.length !== length) return false;
          into.set(bytes.slice(0, upTo), at);
          return true;
        },
      };
    },
  };
}

function packUnit(bytes: Uint8Array, key: number): Uint8Array {
  const runs: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    let stop = at + 1;
    while (stop < bytes.length && bytes[stop] === bytes[at] && stop - at < 255) stop++;
    runs.push(stop - at, bytes[at]! ^ key);
    at = stop;
  }
  return Uint8Array.from(runs);
}
