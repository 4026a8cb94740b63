// Base64 with the URL alphabet and no padding (RFC 4648, section 5), for runtimes without Buffer.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The value of each character code; 64 for characters outside the alphabet. */
const VALUES: Uint8Array = new Uint8Array(128).fill(64);
for (let i = 0; i < 64; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

export function toBase64Url(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const x = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out += ALPHABET[x >>> 18]! + ALPHABET[(x >>> 12) & 63]!;
    if (i + 1 < bytes.length) out += ALPHABET[(x >>> 6) & 63]!;
    if (i + 2 < bytes.length) out += ALPHABET[x & 63]!;
  }
  return out;
}

/** Undefined for texts that `toBase64Url` never makes: other characters, padding, non-zero bits at the end. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 === 1) return undefined;
  const out = new Uint8Array(Math.floor((text.length * 3) / 4));
  let at = 0;
  let bits = 0;
  let have = 0;
  for (let i = 0; i < text.length; i++) {
    const v = VALUES[text.charCodeAt(i)] ?? 64;
    if (v === 64) return undefined;
    bits = ((bits << 6) | v) & 0xffff;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out[at++] = (bits >>> have) & 0xff;
  }
  return (bits & ((1 << have) - 1)) === 0 ? out : undefined;
}
