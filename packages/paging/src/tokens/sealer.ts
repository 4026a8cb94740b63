// Sealers encrypt tokens, because sort values may show what a caller must not see. `Sealer` is a seam, so
// that each runtime can use its fastest cipher. The one here is AES-256-GCM by WebCrypto, which every runtime
// has.

/** Encrypts and authenticates payloads, synchronously or by promises. */
export interface Sealer {
  seal(payload: Uint8Array<ArrayBuffer>): Sealed | Promise<Sealed>;
  /** Undefined for an unknown key and for bytes that do not open. Never throws because of what a caller sent. */
  open(keyId: string, sealed: Uint8Array<ArrayBuffer>): OpenedPayload | Promise<OpenedPayload>;
}

/** A sealer without promises. */
export interface SyncSealer extends Sealer {
  seal(payload: Uint8Array<ArrayBuffer>): Sealed;
  open(keyId: string, sealed: Uint8Array<ArrayBuffer>): OpenedPayload;
}

export interface Sealed {
  /** Of `[A-Za-z0-9_-]`. */
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

export type OpenedPayload = Uint8Array | undefined;

/** A named 256-bit key. */
export interface SealKey {
  readonly id: string;
  readonly secret: Uint8Array<ArrayBuffer>;
}

function importKey(secret: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

const NONCE_BYTES = 12;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * AES-256-GCM with random 96-bit nonces (NIST SP 800-38D, 8.2.2: rotate a key before 2^32 tokens). The first key seals;
 * all of them open. The key id is authenticated with the payload. Throws RangeError for malformed keys.
 */
export function webCryptoSealer(keys: readonly SealKey[]): Sealer {
  const [current] = keys;
  if (current === undefined) throw new RangeError('A sealer needs at least one key.');
  for (const { id, secret } of keys) {
    if (!KEY_ID.test(id)) throw new RangeError('A key id is 1 to 32 characters of A-Z, a-z, 0-9, - and _.');
    if (secret.length !== 32) throw new RangeError(`Key ${id} must have 32 bytes.`);
  }
  const imported = new Map<string, ReturnType<typeof importKey>>(
    keys.map(({ id, secret }) => [id, importKey(secret)]),
  );
  const parameters = (iv: Uint8Array<ArrayBuffer>, keyId: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(keyId),
  });
  return {
    async seal(payload) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const key = await imported.get(current.id)!;
      const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, current.id), key, payload));
      const bytes = new Uint8Array(NONCE_BYTES + sealed.length);
      bytes.set(iv);
      bytes.set(sealed, NONCE_BYTES);
      return { keyId: current.id, bytes };
    },
    async open(keyId, sealed) {
      const key = await imported.get(keyId);
      if (key === undefined || sealed.length <= NONCE_BYTES) return undefined;
      try {
        const iv = sealed.slice(0, NONCE_BYTES);
        return new Uint8Array(
          await crypto.subtle.decrypt(parameters(iv, keyId), key, sealed.slice(NONCE_BYTES)),
        );
      } catch {
        // Authentication failed: the bytes are damaged, or were sealed with another key.
        return undefined;
      }
    },
  };
}
