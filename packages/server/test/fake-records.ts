// Records that answer as a test says.

import type { Records } from '@octavo/records';

/** By the name of the operation; other reads find an empty list, other writes give nothing. */
export type Answers = Readonly<Record<string, (args: never) => unknown>>;

/** What reads return that find no plain list. */
const EMPTY: Readonly<Record<string, unknown>> = {
  'store.fence': undefined,
  'keys.list': { rows: [], hasNext: false, hasPrev: false },
};

/** A store without a store. */
export function fakeRecords(answers: Answers = {}): Records {
  const answer =
    (otherwise: unknown) =>
    async (operation: { readonly name: string }, args: unknown): Promise<never> =>
      ((await answers[operation.name]?.(args as never)) ?? otherwise) as never;
  return {
    write: answer(undefined),
    submit: (operation, args, _options, caller) =>
      void answer(undefined)(operation, args).then(
        (result) => caller.done(result),
        (error) => caller.failed(error),
      ),
    read: async (operation, args) =>
      await answer(Object.hasOwn(EMPTY, operation.name) ? EMPTY[operation.name] : [])(operation, args),
    onEvents: () => () => undefined,
    lastEvent: () => 0n,
    close: async () => undefined,
  };
}
