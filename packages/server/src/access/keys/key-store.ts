// Creates, changes and revokes keys in the store, and applies every change to the key ring immediately.

import {
  type ApiKey,
  createKey,
  getKey,
  type KeyGrant,
  type Records,
  revokeKey,
  rotateKey,
  updateKey,
} from '@octavo/records';
import type { Principal } from '../callers/principal.ts';
import { requireGrantable, restrictGrant } from './grants.ts';
import type { KeyRing } from './key-ring.ts';
import { type Credentials, hashSecret, newKeyId, newSecret } from './secrets.ts';

/** A key with its secret, which is known only now. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly credentials: Credentials;
}

/** The keys of one server. Every method throws Problem or RecordsError. */
export class KeyStore {
  readonly ring: KeyRing;
  readonly #records: Records;
  readonly #noteKeys: () => Promise<void>;

  /** `noteKeys` persists elsewhere that there are keys. */
  constructor(records: Records, ring: KeyRing, noteKeys: () => Promise<void> = async () => {}) {
    this.#records = records;
    this.#noteKeys = noteKeys;
    this.ring = ring;
  }

  /** Creates a key with at most the giver's rights. */
  async create(giver: Principal, grant: KeyGrant): Promise<IssuedKey> {
    const whole = restrictGrant(giver, grant);
    requireGrantable(giver, whole);
    const credentials = { id: newKeyId(), secret: newSecret() };
    const { id, secret } = credentials;
    const key = await this.#records.write(createKey, {
      id,
      hash: hashSecret(secret),
      grant: whole,
      createdBy: giver.id,
    });
    await this.#noteKeys();
    this.ring.put(key);
    return { key, credentials };
  }

  async get(id: string): Promise<ApiKey> {
    return await this.#records.read(getKey, { id });
  }

  /** Changes the named members. The giver needs the rights the key had and those it gets. */
  async update(giver: Principal, id: string, change: Partial<KeyGrant>): Promise<ApiKey> {
    const before = await this.get(id);
    requireGrantable(giver, before);
    const grant = restrictGrant(giver, { ...grantOf(before), ...change });
    requireGrantable(giver, grant);
    const key = await this.#records.write(updateKey, { id, grant });
    this.ring.put(key);
    return key;
  }

  /**
   * Issues a new secret; the old one stays valid for `graceMs`. The giver could use the key, so it needs all
   * its rights.
   */
  async rotate(giver: Principal, id: string, graceMs: number): Promise<IssuedKey> {
    requireGrantable(giver, await this.get(id));
    const secret = newSecret();
    const key = await this.#records.write(rotateKey, {
      id,
      hash: hashSecret(secret),
      previousUntil: Date.now() + graceMs,
    });
    this.ring.put(key);
    return { key, credentials: { id, secret } };
  }

  /** Ends a key immediately. A key cannot revoke one with more rights; any key may revoke itself. */
  async revoke(giver: Principal, id: string): Promise<ApiKey> {
    if (giver.id !== `key:${id}`) requireGrantable(giver, await this.get(id));
    const key = await this.#records.write(revokeKey, { id });
    this.ring.put(key);
    return key;
  }
}

function grantOf(key: ApiKey): KeyGrant {
  const { name, scopes, indexPatterns, documentFilter, rate, metadata, expiresAt } = key;
  return { name, scopes, indexPatterns, documentFilter, rate, metadata, expiresAt };
}
