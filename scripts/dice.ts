// Does a run that passed pass again? Where test files run together, properties are tried with the same numbers every time:
// whether somebody's change goes in is no game of dice. New numbers find what is still wrong: a file that is run alone has
// new ones each time, and so have all with OCTAVO_SEED=random; OCTAVO_SEED=n has those of n.

import { registerHooks } from 'node:module';

const SEED = process.env['OCTAVO_SEED'] ?? '1';
const LOADED = new URL('./loaded-dice.ts', import.meta.url).href;

if (SEED !== 'random') {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'fast-check' && context.parentURL !== LOADED ? LOADED : specifier, context),
  });
}
