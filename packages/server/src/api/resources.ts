// Which resources are there? One line each: a folder of routes.

import { chats } from './chats/routes.ts';
import { newsfeed } from './newsfeed/routes.ts';
import type { Resource } from './resource.ts';

/** All resources over records, in the order in which the OpenAPI document shows them. */
export const RESOURCES: readonly Resource[] = [newsfeed, chats];
