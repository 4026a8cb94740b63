// Preload for test files: a shared compile cache (saves a third of the CPU time of a short file), imports that
// are resolved by their names, a fixed random seed and a time limit per file.
//
//   node --import ./scripts/compiled.ts --test …

import '../packages/server/bin/relative-imports.js';
import './fixed-seed.ts';
import './file-timeout.ts';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/octavo-tests', import.meta.url)));
