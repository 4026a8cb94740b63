// How do keys come, change and go? Through the store, and into the ring of this server at once.

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

/** A key with its secret, which is known now and never again. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly credentials: Credentials;
}

/** The keys of one server. Every method throws Problem or RecordsError. */
export class KeyStore {
  readonly ring: KeyRing;
  readonly #records: Records;
  readonly #noteKeys: () => Promise<void>;

  /** `noteKeys` makes it durable elsewhere that there are keys. */
  constructor(records: Records, ring: KeyRing, noteKeys: () => Promise<void> = async () => {}) {
    this.#records = records;
    this.#noteKeys = noteKeys;
    this.ring = ring;
  }

  /** Makes a key; nobody gives more than they have. */
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

  /** Changes what is named; the giver must have both what the key could do and what it will. */
  async update(giver: Principal, id: string, change: Partial<KeyGrant>): Promise<ApiKey> {
    const before = await this.get(id);
    requireGrantable(giver, before);
    const grant = restrictGrant(giver, { ...grantOf(before), ...change });
    requireGrantable(giver, grant);
    const key = await this.#records.write(updateKey, { id, grant });
    this.ring.put(key);
    return key;
  }

  /** Another secret; the one before stays valid for `graceMs`. Who rotates a key could use it: they must have its rights. */
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

  /** Ends a key at once. A key with less rights cannot lock out one with more; any key may end itself. */
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
