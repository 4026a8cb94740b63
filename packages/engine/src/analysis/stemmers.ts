// Which stemmer serves which language?

import { illegalArgument } from '../errors.ts';

export type Stem = (term: string) => string;

/** The stemmer for a language of the `stemmer` filter, or for `snowball:Language`. */
export function stemmerFor(language: string): Stem {
  throw illegalArgument(`Unknown stemmer [${language}]`);
}
