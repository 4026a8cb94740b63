// The places at which a test breaks something. A run of all tests takes a part of them, a campaign takes every one.

const IS_WHOLE = process.env['OCTAVO_EVERY_PLACE'] === '1';

/** Every `step`-th number below `count`; all numbers with OCTAVO_EVERY_PLACE=1. OCTAVO_SEED decides where it begins. */
export function* sampled(count: number, step: number): Generator<number> {
  const seed = Number(process.env['OCTAVO_SEED'] ?? 1) || Math.floor(Math.random() * step);
  for (let at = IS_WHOLE ? 0 : seed % step; at < count; at += IS_WHOLE ? 1 : step) yield at;
}
