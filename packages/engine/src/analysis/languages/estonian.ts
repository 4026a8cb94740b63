// The Estonian stemmer of the Snowball project, by Linda Freienthal (2019). Endings count only in a region of the word: behind
// the first consonant that follows a vowel.

const VOWELS = 'aeiouõäöü';
const isVowel = (letter: string | undefined): boolean => letter !== undefined && VOWELS.includes(letter);
const endsShortVowel = (text: string): boolean => /[aeiou]$/.test(text);
const endsLongVowel = (text: string): boolean => /([aeiouõäöü])\1$/.test(text);
const endsAnyVowel = (text: string): boolean => endsShortVowel(text) || endsLongVowel(text);
const always = (): boolean => true;

/** Endings, what the word before them must be like, and what replaces them. The longest ending of a table decides alone. */
type EndingRules = readonly (readonly [
  endings: string,
  allows: (before: string) => boolean,
  replacement?: string,
])[];

const EMPHASIS: EndingRules = [
  ['gi', (before) => before.length >= 4 && /[cjlmnqrvwxaeiouõäöü]$/.test(before) && !endsLongVowel(before)],
  ['ki', (before) => before.length >= 4 && /[kptgbdshfšzž]$/.test(before)],
];

const VERBS: EndingRules = [
  ['nuksin nuksime nuksid nuksite ksin ksid ksime ksite mata takse dakse taks daks sime site sin', always],
  ['akse', always, 'a'],
  ['me da n b', (before) => isVowel(before.at(-1))],
];

const NOUNS: readonly EndingRules[] = [
  [
    ['lasse last lane lasi', always, 'lase'],
    ['misse mist mine misi', always, 'mise'],
    ['lisse list line lisi', always, 'lise'],
  ],
  [
    ['sse st le lt ga ks ta s l', endsAnyVowel],
    ['t', (before) => before.length >= 4],
  ],
  [
    ['ikkude ikke ike', always, 'iku'],
    ['sid', (before) => !endsLongVowel(before)],
    ['te', always],
    ['de d', endsAnyVowel],
  ],
  [
    ['mai m', endsShortVowel],
    ['ma', always],
  ],
  [['i', endsShortVowel]],
  [['nu tu du va', always]],
];

/** Forms of short verbs, each list for one stem. */
const VERB_FORMS: Readonly<Record<string, string>> = {
  joo: 'joon jood joob joote joome joovad jõin jõid jõi jõime jõite joomata juuakse joodakse juua jooma',
  saa:
    'saan saad saab saate saame saavad saaksin saaksid saaks saaksite saaksime sain said sai saite saime saamata saadakse ' +
    'saadi saama saada',
  viima:
    'viin viid viib viite viime viivad viiksin viiksid viiks viiksite viiksime viisin viisite viisime viimata viiakse viidi ' +
    'viima viia',
  keesi:
    'keen keeb keed kees keeme keete keevad keeksin keeks keeksid keeksime keeksite keemata keema keeta keedakse',
  löö: 'löön lööd lööb lööme lööte löövad lööksin lööksid lööks lööksime lööksite löömata lüüakse löödakse löödi lööma lüüa',
  lõi: 'lõin lõid lõi lõime lõite',
  loo: 'loon lood loob loome loote loovad looksin looksid looks looksime looksite loomata luuakse loodi luua looma',
  käisi:
    'käin käib käid käis käime käite käivad käiksin käiks käiksid käiksime käiksite käimata käiakse käidi käia käima',
  söö:
    'söön sööb sööd sööme sööte söövad sööksin sööks sööksid sööksime sööksite sõin sõi sõid sõime sõite söömata süüakse ' +
    'söödakse söödi sööma süüa',
  too:
    'toon tood toob toote toome toovad tooksin tooksid tooks tooksite tooksime tõin tõid tõi tõime tõite toomata tuuakse ' +
    'toodi tooma tuua',
  võisi:
    'võin võid võib võime võis võite võivad võiksin võiksid võiks võiksime võiksite võimata võidakse võidi võida võima',
  jääma:
    'jään jääd jääb jääme jääte jäävad jääksin jääksid jääks jääksime jääksite jäime jäite jäin jäid jäi jäämata jäädakse ' +
    'jääda jääma jäädi',
  müüsi:
    'müün müüd müüb müüs müüme müüte müüvad müüksin müüks müüksid müüksime müüksite müümata müüakse müüdi müüa müüma',
  luge: 'loeb loen loed loeme loete loevad loeks loeksin loeksid loeksime loeksite',
  põde: 'põen põeb põed põeme põete põevad põeksin põeks põeksid põeksime põeksite',
  ladu: 'laon laob laod laome laote laovad laoksin laoks laoksid laoksime laoksite',
  tegi: 'teeksin teeks teeksid teeksime teeksite teen teeb teed teeme teete teevad tegemata tehakse tehti tegema teha',
  nägi: 'näen näeb näed näeme näete näevad näeksin näeks näeksid näeksime näeksite nägemata nähakse nähti näha nägema',
};
const VERB_STEMS = new Map(
  Object.entries(VERB_FORMS).flatMap(([stem, forms]) => forms.split(' ').map((form) => [form, stem])),
);

/** Estonian. */
export function stemEstonian(input: string): string {
  const known = VERB_STEMS.get(input);
  if (known !== undefined) return known;
  const region = /^[^aeiouõäöü]*[aeiouõäöü]+[^aeiouõäöü]/.exec(input)?.[0].length ?? input.length;
  let word = replaceEnding(input, region, EMPHASIS) ?? input;
  const verb = replaceEnding(word, region, VERBS);
  word = verb ?? NOUNS.reduce((noun, rules) => replaceEnding(noun, region, rules) ?? noun, word);
  const hasVowelInRegion = isVowel(word.at(-1)) && word.length > region;
  return hasVowelInRegion ? word.replace(/([kpt])\1(.)$/, '$1$2') : word;
}

function replaceEnding(word: string, region: number, rules: EndingRules): string | undefined {
  let found: { ending: string; allows: (before: string) => boolean; replacement: string } | undefined;
  for (const [endings, allows, replacement = ''] of rules) {
    for (const ending of endings.split(' ')) {
      const isLonger = ending.length > (found?.ending.length ?? 0);
      if (isLonger && word.endsWith(ending) && word.length - ending.length >= region)
        found = { ending, allows, replacement };
    }
  }
  if (found === undefined) return undefined;
  const before = word.slice(0, -found.ending.length);
  if (!found.allows(before)) return undefined;
  return before + (found.ending === 'te' ? pluralEnd(before) : found.replacement);
}

/** What stays of `te`, which is an ending of its own only behind four letters. */
function pluralEnd(before: string): string {
  if (before.length < 4) return 't';
  if (/[ml]is$|las$/.test(before)) return 'e';
  return before.endsWith('t') ? 'te' : '';
}
