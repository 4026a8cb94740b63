// The `_security` endpoints: API keys, and the identity of the caller.

import type { Route } from '../router/route.ts';
import { authenticate, createApiKey, getApiKeys, invalidateApiKeys } from './api-keys.ts';

const PATH = '/_security/api_key';

/** The rows of this family. */
export const securityRoutes: readonly Route[] = [
  { methods: ['POST', 'PUT'], path: PATH, params: ['refresh'], handle: createApiKey },
  {
    methods: ['GET'],
    path: PATH,
    params: [
      'active_only',
      'id',
      'name',
      'owner',
      'realm_name',
      'username',
      'with_limited_by',
      'with_profile_uid',
    ],
    handle: getApiKeys,
  },
  { methods: ['DELETE'], path: PATH, params: [], handle: invalidateApiKeys },
  { methods: ['GET'], path: '/_security/_authenticate', params: [], handle: authenticate },
];
