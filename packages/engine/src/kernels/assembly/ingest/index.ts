// What can the write path ask of WebAssembly? The exports of ingest.wasm. All arguments are places in the arena that
// the module was made over; nothing is allocated here and nothing is kept.

export { translateNumbers } from './foreign-numbers';
export { cutWords } from './words';
