// The exports of search.wasm. All arguments are addresses in the arena of the module. Nothing is
// allocated here; the only state is in the query's record and the scratch that the caller provides.

export { prepare } from './prepare';
export { run } from './run';
