// The filters that give the words of a language one spelling, by type.

import { normalizeArabic, normalizePersian, normalizeSorani } from './arabic-script.ts';
import { normalizeBengali } from './indic/bengali.ts';
import { normalizeHindi } from './indic/hindi.ts';
import { normalizeIndic } from './indic/indic.ts';
import { normalizeGerman } from './light-stemmers.ts';
import { foldScandinavian, normalizeScandinavian } from './scandinavian.ts';
import { normalizeSerbian } from './slavic.ts';

export const NORMALIZATIONS: Readonly<Record<string, (word: string) => string>> = {
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
