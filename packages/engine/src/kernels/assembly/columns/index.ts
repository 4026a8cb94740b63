// The exports of columns.wasm, over columns of 64-bit keys in two halves. All arguments but bounds and numbers are addresses in the
// arena of the module; nothing is allocated or kept.

export { rangeBits } from './range-bits';
