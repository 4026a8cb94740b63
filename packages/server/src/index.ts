// The door of the server: HTTP over an engine.

export { LIMITS, type Limit, type LimitName, type Limits } from './limits.ts';
export { createServer, type ListenOptions, listen, type ServeOptions } from './serve.ts';
