// Manages keys without a server: the steps behind `/api/keys`, on the records of a data directory or a
// PostgreSQL.

import { RecordsError } from '@octavo/records';
import { openAccess } from '../../access/access.ts';
import { ANONYMOUS } from '../../access/callers/principal.ts';
import { SCOPES } from '../../access/keys/grants.ts';
import type { KeyStore } from '../../access/keys/key-store.ts';
import { type GrantBody, keyView, newKeyView, parseGrant } from '../../api/keys/key-view.ts';
import { Problem } from '../../errors/problem.ts';
import { RecordsNotes, readRecordsNote } from '../../records-notes.ts';
import { EXIT, Failure } from '../failure.ts';
import {
  openRecordsAt,
  openStoredSettings,
  type RecordsFlags,
  requireDataDirectory,
} from '../open-stores.ts';

/** Performs a request to `/api/keys`. Whoever has the records has all rights. Throws Failure. */
export async function runOnRecords(
  place: RecordsFlags,
  method: string,
  path: string,
  body: object | undefined,
): Promise<object> {
  // Only a new key may begin a data directory.
  const isNewKey = method === 'POST' && path === '';
  if (place.records === undefined && !isNewKey) requireDataDirectory(place.data);
  const catalog =
    place.records === undefined ? await openStoredSettings(place.data).catch(refuseInUse) : undefined;
  try {
    const note = catalog && readRecordsNote(catalog.settings);
    const records = await openRecordsAt(place, Promise.resolve(note)).catch(refuseInUse);
    try {
      const notes = catalog && (await RecordsNotes.begin(catalog.settings, records));
      const access = await openAccess({ records, noteKeys: notes && (() => notes.noteKeys()) });
      try {
        return await answer(access.keys!, method, path, body);
      } finally {
        access.close();
        await notes?.close();
      }
    } finally {
      await records.close();
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof RecordsError) throw new Failure(error.message);
    throw error;
  } finally {
    await catalog?.close();
  }
}

/** If a server has the records open, it must be asked instead. */
function refuseInUse(error: unknown): never {
  if (!(error instanceof Failure) || !/open already|in use by/.test(error.message)) throw error;
  throw new Failure(
    `${error.message.replace(/\.$/, '')}. If a server is using it, use that server (POST /api/keys): leave --data out and give --url, and a ` +
      '--key with the scope keys:write if it has keys.',
  );
}

async function answer(
  keys: KeyStore,
  method: string,
  path: string,
  body: object | undefined,
): Promise<object> {
  const id = decodeURIComponent(path.split('/')[1] ?? '');
  if (method === 'GET') return { items: keys.ring.all().map(keyView) };
  if (method === 'DELETE') return keyView(await keys.revoke(ANONYMOUS, id));
  if (id !== '') {
    const { grace_seconds } = body as { grace_seconds: number };
    return newKeyView(await keys.rotate(ANONYMOUS, id, grace_seconds * 1_000));
  }
  const given = body as GrantBody & { readonly name: string; readonly scopes: readonly string[] };
  const unknown = given.scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined) {
    throw new Failure(`Unknown scope ${unknown}; scopes are ${SCOPES.join(', ')}.`, EXIT.usage);
  }
  return newKeyView(
    await keys.create(ANONYMOUS, { ...parseGrant(given), name: given.name, scopes: given.scopes }),
  );
}
