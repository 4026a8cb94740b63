// A secret that all processes of a store share: the one that the first of them has proposed.

import type { WriteOperation } from '../contracts/operation.ts';

/** The secret of a name: `proposed` where there was none yet. */
export const sharedSecret: WriteOperation<
  { readonly name: string; readonly proposed: Uint8Array },
  Uint8Array
> = {
  kind: 'write',
  name: 'store.secret',
  locks: ({ name }) => [`secret:${name}`],
  checksFirst: true,
  async run({ db }, { name, proposed }) {
    const found = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();
    if (found !== undefined) return new Uint8Array(found.value);
    await db.insertInto('secret').values({ name, value: proposed }).execute();
    return proposed;
  },
};
