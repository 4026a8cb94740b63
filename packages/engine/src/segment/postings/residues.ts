// Which places modulo 8 does a posting have? A byte says it, a bit for each residue: turned by how far two words of a phrase
// are apart, the bytes of two postings that share no bit cannot stand side by side, and their positions need not be read.
//
//   positions 3 9 20     bits 3, 1, 4: 0x1a        what stands one place behind them: 0x34

/** The residues of the posting whose positions are the bytes from … end-1 (format.ts). O(bytes). */
export function residuesOf(bytes: Uint8Array, from: number, end: number): number {
  let residues = 0;
  let place = 0;
  let before = 0;
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    // The first byte of a distance has its lowest bits: behind it only what goes on would add more, eights.
    place += byte & ((before >>> 7) - 1);
    residues |= 1 << (place & 7);
    before = byte;
  }
  return residues;
}

/** Residues of the places where a phrase would start in which a term of these stands `offset` places behind its start. */
export function rotateResidues(residues: number, offset: number): number {
  return ((residues * 0x101) >>> (offset & 7)) & 0xff;
}
