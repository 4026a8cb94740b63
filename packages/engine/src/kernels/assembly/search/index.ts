// What can a search ask of WebAssembly? The exports of search.wasm. All arguments are places in the arena that the
// module was made over; nothing is allocated here and nothing is kept but scratch that the caller gives.

export { prepare } from './prepare';
export { run } from './run';
