// The public API of @octavo/demo: loads the demo's documents and records, and prints commands to try.

export { exampleCommands, recordsCommands } from './example-commands.ts';
export { loadRecords } from './load-records.ts';
export { INDEX, IndexTaken, loadSynsets } from './load-synsets.ts';
export { SYNSETS, type Synset, synsets } from './wordnet.ts';
