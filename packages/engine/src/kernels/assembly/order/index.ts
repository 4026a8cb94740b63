// The exports of order.wasm, for sorts whose order does not exist yet. All arguments are addresses in
// the arena of the module; nothing is allocated or kept.

export { sieve } from './sieve';
export { extent, tally } from './tally';
