// Which resources are there? One line each: a folder of routes.

import type { Resource } from './resource.ts';

/** All resources over records, in the order in which the OpenAPI document shows them. */
export const RESOURCES: readonly Resource[] = [];
