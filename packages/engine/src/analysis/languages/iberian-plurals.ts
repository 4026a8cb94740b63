// Plurals of Portuguese and Galician. Portuguese: the first step of RSLP (Viviane Moreira Orengo and Christian Huyck, "A Stemming
// Algorithm for the Portuguese Language", 2001). Galician: that step as the Biblioteca Virtual Galega has it (Marisa Moreda Leirado
// and others, "Algoritmo de stemming para el gallego", 2005).

/** A suffix, the least length of what stays of the word, what replaces the suffix, and words that stay as they are. */
type PluralRule = readonly [suffix: string, least: number, replacement: string, exceptions?: string];

const PORTUGUESE: readonly PluralRule[] = [
  ['ns', 1, 'm'],
  ['ões', 3, 'ão'],
  ['ães', 1, 'ão', 'mães'],
  ['ais', 1, 'al', 'cais mais'],
  ['éis', 2, 'el'],
  ['eis', 2, 'el'],
  ['óis', 2, 'ol'],
  ['is', 2, 'il', 'lápis cais mais crúcis biquínis pois depois dois leis'],
  ['les', 3, 'l'],
  ['res', 3, 'r', 'árvores'],
  [
    's',
    2,
    '',
    'aliás pires lápis cais mais mas menos férias fezes pêsames crúcis gás atrás moisés através convés ês país após ambas ' +
      'ambos messias depois',
  ],
];

const GALICIAN: readonly PluralRule[] = [
  ['ns', 1, 'n', 'luns furatapóns furatapons'],
  ['ós', 3, 'ón'],
  ['ões', 3, 'ón'],
  ['ães', 1, 'ão', 'mães magalhães'],
  ['ais', 2, 'al', 'cais tais mais pais ademais'],
  ['áis', 2, 'al', 'cáis táis máis páis ademáis'],
  ['éis', 2, 'el'],
  ['eis', 2, 'el'],
  ['óis', 2, 'ol', 'escornabóis'],
  ['ois', 2, 'ol', 'escornabois'],
  ['ís', 2, 'il', 'país'],
  ['is', 2, 'il', 'menfis pais kinguis'],
  ['les', 2, 'l', 'ingles marselles montreales senegales manizales móstoles nápoles'],
  ['res', 3, 'r', 'petres henares cáceres baleares linares londres mieres miraflores mércores venres pires'],
  ['ces', 2, 'z'],
  ['zes', 2, 'z'],
  ['ises', 3, 'z'],
  ['ás', 1, 'al', 'más'],
  ['ses', 2, 's'],
  [
    's',
    2,
    '',
    'barbadés barcelonés cantonés gabonés llanés medinés escocés escocês francês barcelonês cantonês macramés reves ' +
      'barcelones cantones gabones llanes magallanes medines escoces frances xoves martes aliás pires lápis cais mais mas ' +
      'menos férias pêsames crúcis país cangas atenas asturias canarias filipinas honduras molucas caldas mascareñas ' +
      'micenas covarrubias psoas óculos nupcias',
  ],
];

function singular(rules: readonly PluralRule[]): (word: string) => string {
  const prepared = rules.map(([suffix, least, replacement, exceptions = '']) => ({
    suffix,
    least,
    replacement,
    exceptions: new Set(exceptions.split(' ')),
  }));
  return (word) => {
    if (word.length < 3 || !word.endsWith('s')) return word;
    for (const { suffix, least, replacement, exceptions } of prepared) {
      const length = word.length - suffix.length;
      if (length >= least && word.endsWith(suffix) && !exceptions.has(word))
        return word.slice(0, length) + replacement;
    }
    return word;
  };
}

/** Minimal Portuguese: plural only. */
export const minimalPortuguese: (word: string) => string = singular(PORTUGUESE);

/** Minimal Galician: plural only. */
export const minimalGalician: (word: string) => string = singular(GALICIAN);
