// Which endpoints read and write single documents?

import type { Route } from './route.ts';

/** The rows of this family. */
export const documentRoutes: readonly Route[] = [];
