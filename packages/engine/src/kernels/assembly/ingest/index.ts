// The exports of ingest.wasm, for the write path. All arguments are addresses in the arena of the
// module; nothing is allocated or kept.

export { cutWords } from './words';
