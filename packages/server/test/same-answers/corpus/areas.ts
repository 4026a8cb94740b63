// The corpus: which requests the suite asks, by area. An area is one file of recorded answers.

import type { Request } from '../request.ts';
import { commit, documents } from './documents.ts';
import { firstAsked } from './first-asked.ts';
import { kindsOfValues } from './kinds.ts';
import { manyPages } from './many.ts';

export interface Area {
  /** Of its file. */
  readonly name: string;
  readonly kind: 'lists' | 'scripts' | 'writes';
  /** Requests in order. */
  readonly scripts: readonly (readonly Request[])[];
  /** True where pages are asked so often that whatever is kept of them is used. */
  readonly isOften?: true;
}

/** What all reads stand on. */
export const SETUP: readonly Request[] = documents;

/** What changes under them. */
export const COMMIT: readonly Request[] = commit;

export const AREAS: readonly Area[] = [
  { name: 'first-asked', kind: 'lists', scripts: firstAsked },
  { name: 'kinds', kind: 'lists', scripts: kindsOfValues },
  { name: 'many', kind: 'lists', scripts: manyPages, isOften: true },
];
