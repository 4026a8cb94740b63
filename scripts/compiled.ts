// What do hundreds of test files have in common? The modules that they load: what one of them has compiled is kept for the
// others, which is a third of the processor time of a short file. Numbers that are the same every time, and an end.
// `node --import ./scripts/compiled.ts --test …`

import './dice.ts';
import './patience.ts';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/octavo-tests', import.meta.url)));
