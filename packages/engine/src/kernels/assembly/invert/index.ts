// The exports of invert.wasm. They work on the memory of a `PostingPairs`
// (tail/inversion/posting-pairs.ts), which defines the layout.

export { narrowPostings, postings } from './postings';
