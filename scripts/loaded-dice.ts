// What do test files get that ask for fast-check where they run together? The same, with numbers that were chosen before.

import { configureGlobal } from 'fast-check';

configureGlobal({ seed: Number(process.env['OCTAVO_SEED'] ?? 1) });

export * from 'fast-check';
export { default } from 'fast-check';
