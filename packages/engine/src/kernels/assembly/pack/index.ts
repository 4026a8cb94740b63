// What can the packed log ask of WebAssembly? The exports of pack.wasm. All arguments are places in the memory that the
// module was made over, laid out as log/packed/packing.ts says; nothing is allocated here and nothing is kept.

export { pack } from './pack';
export { unpack } from './unpack';
