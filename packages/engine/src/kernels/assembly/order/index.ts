// What can the search for the best few ask of WebAssembly? The exports of order.wasm. All arguments are places in the arena
// that the module was made over; nothing is allocated here and nothing is kept.

export { sieve } from './sieve';
