// The list of all resources.

import { accounts } from './accounts/routes.ts';
import { backup } from './backup/routes.ts';
import { chats } from './chats/routes.ts';
import { docs } from './docs/routes.ts';
import { events } from './events/routes.ts';
import { health } from './health/routes.ts';
import { keys } from './keys/routes.ts';
import { limits } from './limits/routes.ts';
import { metrics } from './metrics/routes.ts';
import { newsfeed } from './newsfeed/routes.ts';
import { openapi } from './openapi/routes.ts';
import { problems } from './problems/routes.ts';
import type { Resource, ServerResource, ServerServices } from './resource.ts';
import { holds } from './transactions/holds.ts';
import { transactions } from './transactions/routes.ts';
import { users } from './users/routes.ts';
import { webhooks } from './webhooks/routes.ts';

/** Resources over records, in the order of the OpenAPI document. */
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

/** All of them. */
export function serverResources(given: ServerServices): ServerResource[] {
  return [
    health(given),
    metrics(given.metrics),
    backup(given),
    limits(given.limits),
    problems,
    openapi,
    docs,
  ];
}
