// What of Node's HTTP does a start need? Its functions, not the module that `import` makes of it: that one reads all there is
// to export, which links a whole client for the web (50 ms of a start that asks nobody anything).

import type * as Http from 'node:http';
import type * as Https from 'node:https';

export const nodeHttp: typeof Http = process.getBuiltinModule('node:http');
export const nodeHttps: typeof Https = process.getBuiltinModule('node:https');
