// The exports of pack.wasm, for the packed log. All arguments are addresses in the memory of the module,
// laid out as in log/packed/packing.ts; nothing is allocated or kept.

export { pack } from './pack';
export { unpack } from './unpack';
