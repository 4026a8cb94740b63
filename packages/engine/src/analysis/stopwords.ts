// Which words does a language drop?

import { illegalArgument } from '../errors.ts';

const LISTS: Readonly<Record<string, string>> = {
  _none_: '',
  _english_:
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with',
};

/** A list by its name between underscores. */
export function stopWords(name: string): ReadonlySet<string> {
  if (!Object.hasOwn(LISTS, name)) throw illegalArgument(`Unknown stop word list [${name}]`);
  return new Set(LISTS[name]!.split(' ').filter((word) => word !== ''));
}
