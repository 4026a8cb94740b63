// Which resources are there? One line each: a folder of routes.

import { accounts } from './accounts/routes.ts';
import { chats } from './chats/routes.ts';
import { events } from './events/routes.ts';
import { keys } from './keys/routes.ts';
import { newsfeed } from './newsfeed/routes.ts';
import type { Resource } from './resource.ts';
import { holds } from './transactions/holds.ts';
import { transactions } from './transactions/routes.ts';
import { users } from './users/routes.ts';
import { webhooks } from './webhooks/routes.ts';

/** All resources over records, in the order in which the OpenAPI document shows them. */
export const RESOURCES: readonly Resource[] = [
  newsfeed,
  chats,
  users,
  accounts,
  transactions,
  holds,
  keys,
  events,
  webhooks,
];
