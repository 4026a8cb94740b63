// The filters that give the words of a language one spelling, by type.

import type { TokenFilter } from '../chain.ts';
import { perTerm, stemFilter } from '../filters/term-filter.ts';
import { normalizeArabic, normalizePersian, normalizeSorani } from './arabic-script.ts';
import { normalizeBengali } from './indic/bengali.ts';
import { normalizeHindi } from './indic/hindi.ts';
import { normalizeIndic } from './indic/indic.ts';
import { normalizeGerman } from './light-stemmers.ts';
import { foldScandinavian, normalizeScandinavian } from './scandinavian.ts';
import { normalizeSerbian } from './slavic.ts';

const CHANGES: Readonly<Record<string, (word: string) => string>> = {
  arabic_normalization: normalizeArabic,
  bengali_normalization: normalizeBengali,
  german_normalization: normalizeGerman,
  hindi_normalization: normalizeHindi,
  indic_normalization: normalizeIndic,
  persian_normalization: normalizePersian,
  scandinavian_folding: foldScandinavian,
  scandinavian_normalization: normalizeScandinavian,
  serbian_normalization: normalizeSerbian,
  sorani_normalization: normalizeSorani,
};

/** The types of these filters. */
export const NORMALIZATIONS: readonly string[] = Object.keys(CHANGES);

/** Filters that leave words which are marked as keywords. */
const SPARING: ReadonlySet<string> = new Set(['bengali_normalization', 'hindi_normalization']);

/** The filter of a type. */
export function normalization(type: string, name: string): TokenFilter {
  return SPARING.has(type) ? stemFilter(name, CHANGES[type]!) : perTerm(name, CHANGES[type]!);
}
