// What can an order that does not exist yet ask of WebAssembly? The exports of order.wasm. All arguments are places in the
// arena that the module was made over; nothing is allocated here and nothing is kept.

export { sieve } from './sieve';
export { extent, tally } from './tally';
