// Fixes the random seed of property tests when many test files run together, so that a run that passed passes
// again. OCTAVO_SEED=n sets the seed. OCTAVO_SEED=random searches for new failures, as does running a single
// file.

import { registerHooks } from 'node:module';

const SEED = process.env['OCTAVO_SEED'] ?? '1';
const SEEDED = new URL('./seeded-fast-check.ts', import.meta.url).href;

if (SEED !== 'random') {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'fast-check' && context.parentURL !== SEEDED ? SEEDED : specifier, context),
  });
}
