// Who seals tokens here? AES-256-GCM of node:crypto, three times as fast as WebCrypto for payloads of this size.
//
//   sealed   salt (16)  nonce (12: 4 zero, 8 counter)  ciphertext  tag (16)
//
// Each process derives a subkey of its own from the key of the data directory and a random salt (HKDF-SHA-256, RFC
// 5869), so that a counter can be the nonce: it never repeats under one subkey (NIST SP 800-38D, 8.2.1).

import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Engine } from '@octavo/engine';
import type { Sealed, SealerAtOnce } from '@octavo/paging';
import { type Records, sharedSecret } from '@octavo/records';
import QuickLRU from 'quick-lru';

const SALT = 16;
const NONCE = 12;
const TAG = 16;
const CIPHER = 'aes-256-gcm';
const KEY_KIND = 'seal-key';
const KEY_NAME = 'k1';
const SHARED_NAME = 'r1';
/** Subkeys of other processes that are kept at hand: one per restart whose tokens are still around. */
const MAX_SUBKEYS = 64;

/**
 * The sealer of a data directory or, where several servers have the same records or the engine keeps nothing, of the
 * records; makes its key on first use. The tokens of one server are then read by all.
 */
export async function openSealer(
  engine: Engine,
  records?: Records,
  store: 'engine' | 'records' = 'engine',
): Promise<SealerAtOnce> {
  if (records !== undefined && (records.shared || store === 'records')) {
    const proposed = new Uint8Array(randomBytes(32));
    return new NodeSealer(SHARED_NAME, await records.write(sharedSecret, { name: KEY_KIND, proposed }));
  }
  const stored = engine.settings.get(KEY_KIND, KEY_NAME);
  if (typeof stored === 'string') return new NodeSealer(KEY_NAME, Buffer.from(stored, 'base64'));
  const secret = randomBytes(32);
  await engine.settings.put(KEY_KIND, KEY_NAME, secret.toString('base64'));
  return new NodeSealer(KEY_NAME, secret);
}

/** Seals and opens with the node's own cipher, at once. The secret has 32 bytes. */
export class NodeSealer implements SealerAtOnce {
  readonly #keyId: string;
  readonly #secret: Uint8Array;
  readonly #aad: Buffer;
  readonly #salt = randomBytes(SALT);
  readonly #own: KeyObject;
  readonly #others = new QuickLRU<string, KeyObject>({ maxSize: MAX_SUBKEYS });
  #counter = 0n;

  constructor(keyId: string, secret: Uint8Array) {
    this.#keyId = keyId;
    this.#secret = secret;
    this.#aad = Buffer.from(keyId, 'utf8');
    this.#own = subkey(secret, this.#salt);
  }

  seal(payload: Uint8Array): Sealed {
    const nonce = Buffer.alloc(NONCE);
    nonce.writeBigUInt64BE(this.#counter++, NONCE - 8);
    const cipher = createCipheriv(CIPHER, this.#own, nonce);
    cipher.setAAD(this.#aad);
    const sealed = [cipher.update(payload), cipher.final()];
    return { keyId: this.#keyId, bytes: Buffer.concat([this.#salt, nonce, ...sealed, cipher.getAuthTag()]) };
  }

  open(keyId: string, sealed: Uint8Array): Uint8Array | undefined {
    if (keyId !== this.#keyId || sealed.length <= SALT + NONCE + TAG) return undefined;
    const salt = sealed.subarray(0, SALT);
    const nonce = sealed.subarray(SALT, SALT + NONCE);
    const end = sealed.length - TAG;
    try {
      const decipher = createDecipheriv(CIPHER, this.#subkeyOf(salt), nonce);
      decipher.setAAD(this.#aad);
      decipher.setAuthTag(sealed.subarray(end));
      return Buffer.concat([decipher.update(sealed.subarray(SALT + NONCE, end)), decipher.final()]);
    } catch {
      // The tag does not fit: damaged, or sealed by somebody else.
      return undefined;
    }
  }

  #subkeyOf(salt: Uint8Array): KeyObject {
    if (this.#salt.equals(salt)) return this.#own;
    const name = Buffer.from(salt).toString('base64');
    let key = this.#others.get(name);
    if (key === undefined) {
      key = subkey(this.#secret, salt);
      this.#others.set(name, key);
    }
    return key;
  }
}

/** An object and not its bytes: a cipher that is given bytes makes such an object first, at three times the cost of sealing. */
function subkey(secret: Uint8Array, salt: Uint8Array): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, salt, 'octavo tokens', 32)));
}
