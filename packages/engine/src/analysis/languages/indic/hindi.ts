// Hindi: one spelling for sounds that are written in several ways, and a light stemmer.
//
// Sources: Pingali and Varma, "Word Normalization in Indian Languages" (2009); Ramanathan and Rao, "A Lightweight
// Stemmer for Hindi" (2003).

import { letterChange, replaceSuffix, rulesFor, type SuffixRule } from '../suffix-rules.ts';

const letters = letterChange(
  '\u0901\u0929\u0931\u0934\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f\u0945\u0946\u0949\u094a\u090d\u090e\u0911\u0912\u0972\u0906\u0908\u090a\u0960\u0961\u0910\u0914\u0940\u0942\u0944\u0963\u0948\u094c',
  '\u0902\u0928\u0930\u0933\u0915\u0916\u0917\u091c\u0921\u0922\u092b\u092f\u0947\u0947\u094b\u094b\u090f\u090f\u0913\u0913\u0905\u0905\u0907\u0909\u090b\u090c\u090f\u0913\u093f\u0941\u0943\u0962\u0947\u094b',
  '\u093c\u094d\u200c\u200d',
);

/** Short vowels for long ones, no dots below, and a dot above for each n without a vowel. */
export function normalizeHindi(word: string): string {
  return letters(word.replaceAll('\u0928\u094d', '\u0902'));
}

const ENDINGS: readonly SuffixRule[] = [
  ...rulesFor(6, 'ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां'),
  ...rulesFor(5, 'ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां'),
  ...rulesFor(4, 'ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं'),
  ...rulesFor(3, 'कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें'),
  ...rulesFor(2, 'ो े ू ु ी ि ा'),
];

/** Light Hindi. */
export function stemHindi(word: string): string {
  return replaceSuffix(word, ENDINGS) ?? word;
}
