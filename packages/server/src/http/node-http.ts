// Node's HTTP modules by `getBuiltinModule`. `import` would evaluate every export of `node:http`, which links
// the whole fetch client (50 ms of a start that sends no requests).

import type * as Http from 'node:http';
import type * as Https from 'node:https';

export const nodeHttp: typeof Http = process.getBuiltinModule('node:http');
export const nodeHttps: typeof Https = process.getBuiltinModule('node:https');
