// What can an inversion ask of WebAssembly? The exports of invert.wasm, over the memory of a `Pairs` (tail/pairs.ts), which says
// where all is.

export { narrowPostings, postings } from './postings';
