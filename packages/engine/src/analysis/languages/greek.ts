// The stemmer of Greek by Georgios Ntais, "Development of a Stemmer for the Greek Language" (2006). Words come in lower
// case without accents, and with one sigma.

import { endingIn, replaceSuffix, rulesFor, type SuffixRule } from './suffix-rules.ts';

const either = (...tests: readonly ((stem: string) => boolean)[]): ((stem: string) => boolean) => {
  return (stem) => tests.some((test) => test(stem));
};
const oneOf = (list: string): ((stem: string) => boolean) => {
  const stems = new Set(list.split(' '));
  return (stem) => stems.has(stem);
};
const endsInVowel = (stem: string): boolean => /[αεηιουω]$/.test(stem);
/** Of all vowels but υ. */
const endsInOpenVowel = (stem: string): boolean => /[αεηιοω]$/.test(stem);

/** Rules that leave the first letters of a suffix: all but `count`. */
function shorten(count: number, suffixes: string): SuffixRule[] {
  return suffixes.split(' ').map((suffix) => [0, suffix, suffix.slice(0, -count)]);
}

/** Nouns with forms of their own. */
const NOUNS: readonly SuffixRule[] = [
  ...shorten(4, 'καθεστωτοσ καθεστωτων γεγονοτοσ γεγονοτων'),
  ...shorten(3, 'καθεστωτα'),
  ...shorten(4, 'τατογιου τατογιων'),
  ...shorten(3, 'γεγονοτα'),
  ...shorten(2, 'καθεστωσ'),
  ...shorten(4, 'σκαγιου σκαγιων ολογιου ολογιων κρεατοσ κρεατων περατοσ περατων τερατοσ τερατων'),
  ...shorten(3, 'τατογια'),
  ...shorten(2, 'γεγονοσ'),
  ...shorten(4, 'φαγιου φαγιων σογιου σογιων'),
  ...shorten(3, 'σκαγια ολογια κρεατα περατα τερατα φαγια σογια φωτοσ φωτων'),
  ...shorten(2, 'κρεασ περασ τερασ φωτα'),
  ...shorten(1, 'φωσ'),
];

/** One step: suffixes that fall, and a part of them that comes back to some stems. */
interface Step {
  readonly suffixes: readonly SuffixRule[];
  readonly back: string;
  readonly when: (stem: string) => boolean;
}

const never: Pick<Step, 'back' | 'when'> = { back: '', when: () => false };

const STEPS: readonly Step[] = [
  { suffixes: NOUNS, ...never },
  {
    suffixes: rulesFor(4, 'αδεσ αδων'),
    back: 'αδ',
    when: (stem) => !endingIn('οκ μαμ μαν μπαμπ πατερ γιαγι νταντ κυρ θει πεθερ')(stem),
  },
  { suffixes: rulesFor(4, 'εδεσ εδων'), back: 'εδ', when: endingIn('οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ') },
  {
    suffixes: rulesFor(5, 'ουδεσ ουδων'),
    back: 'ουδ',
    when: endingIn('αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε'),
  },
  { suffixes: rulesFor(3, 'εωσ εων'), back: 'ε', when: oneOf('θ δ ελ γαλ ν π ιδ παρ') },
  { suffixes: [...rulesFor(2, 'ια'), ...rulesFor(3, 'ιου ιων')], back: 'ι', when: endsInVowel },
  {
    suffixes: [...rulesFor(3, 'ικα ικο'), ...rulesFor(4, 'ικου ικων')],
    back: 'ικ',
    when: either(
      endsInVowel,
      oneOf(
        'αλ αδ ενδ αμαν αμμοχαλ ηθ ανηθ αντιδ φυσ βρωμ γερ εξωδ καλπ καλλιν καταδ μουλ μπαν μπαγιατ μπολ μποσ ' +
          'νιτ ξικ συνομηλ πετσ πιτσ πικαντ πλιατσ ποστελν πρωτοδ σερτ συναδ τσαμ υποδ φιλον φυλοδ χασ',
      ),
    ),
  },
  {
    suffixes: [...rulesFor(7, 'ηθηκαμε'), ...rulesFor(6, 'ουσαμε'), ...rulesFor(5, 'αγαμε ησαμε ηκαμε')],
    ...never,
  },
  {
    suffixes: rulesFor(3, 'αμε'),
    back: 'αμ',
    when: oneOf('αναπ αποθ αποκ αποστ βουβ ξεθ ουλ πεθ πικρ ποτ σιχ χ αγ'),
  },
  {
    suffixes: [
      ...rulesFor(8, 'ιουντανε'),
      ...rulesFor(7, 'ιοντανε'),
      ...rulesFor(0, 'ουντανε ηθηκανε'),
      ...rulesFor(6, 'ιοτανε'),
      ...rulesFor(0, 'οντανε ουσανε'),
      ...rulesFor(5, 'αγανε'),
      ...rulesFor(0, 'ησανε οτανε ηκανε'),
    ],
    back: 'αγαν',
    when: oneOf('τρ τσ'),
  },
  {
    suffixes: rulesFor(3, 'ανε'),
    back: 'αν',
    when: either(
      endsInOpenVowel,
      oneOf(
        'βετερ βουλκ βραχμ γ δραδουμ θ καλπουζ καστελ κορμορ λαοπλ μωαμεθ μ μουσουλμ ν ουλ π πελεκ πλ πολισ ' +
          'πορτολ σαρακατσ σουλτ τσαρλατ ορφ τσιγγ τσοπ φωτοστεφ χ ψυχοπλ αγ γαλ γερ δεκ διπλ αμερικαν ουρ πιθ ' +
          'πουριτ σ ζωντ ικ καστ κοπ λιχ λουθηρ μαιντ μελ σιγ σπ στεγ τραγ τσαγ φ ερ αδαπ αθιγγ αμηχ ανικ ' +
          'ανοργ απηγ απιθ ατσιγγ βασ βασκ βαθυγαλ βιομηχ βραχυκ διατ διαφ ενοργ θυσ καπνοβιομηχ καταγαλ κλιβ ' +
          'κοιλαρφ λιβ μεγλοβιομηχ μικροβιομηχ νταβ ξηροκλιβ ολιγοδαμ ολογαλ πενταρφ περηφ περιτρ πλατ πολυδαπ ' +
          'πολυμηχ στεφ ταβ τετ υπερηφ υποκοπ χαμηλοδαπ ψηλοταβ',
      ),
    ),
  },
  { suffixes: rulesFor(5, 'ησετε'), ...never },
  {
    suffixes: rulesFor(3, 'ετε'),
    back: 'ετ',
    when: either(
      endsInOpenVowel,
      oneOf(
        'αβαρ βεν εναρ αβρ αδ αθ αν απλ βαρον ντρ σκ κοπ μπορ νιφ παγ παρακαλ σερπ σκελ συρφ τοκ υ δ εμ θαρρ θ',
      ),
      endingIn(
        'οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ ευθ εκθ ' +
          'νετ ρον αρκ βαρ βολ ωφελ',
      ),
    ),
  },
  { suffixes: rulesFor(0, 'κρεοντασ:κρεωντ κρεωντασ:κρεωντ'), ...never },
  { suffixes: rulesFor(5, 'οντασ ωντασ'), back: 'οντ', when: (stem) => stem === 'αρχ' },
  { suffixes: rulesFor(6, 'ομαστε'), back: 'ομαστ', when: (stem) => stem === 'ον' },
  {
    suffixes: rulesFor(5, 'ιεστε'),
    back: 'ιεστ',
    when: oneOf('π απ συμπ ασυμπ ακαταπ αμεταμφ'),
  },
  {
    suffixes: rulesFor(4, 'εστε'),
    back: 'εστ',
    when: oneOf('αλ αρ εκτελ ζ μ ξ παρακαλ προ νισ'),
  },
  { suffixes: [...rulesFor(6, 'ηθηκεσ'), ...rulesFor(5, 'ηθηκα ηθηκε')], ...never },
  {
    suffixes: [...rulesFor(4, 'ηκεσ'), ...rulesFor(3, 'ηκα ηκε')],
    back: 'ηκ',
    when: either(oneOf('διαθ θ παρακαταθ προσθ συνθ'), endingIn('σκωλ σκουλ ναρθ σφ οθ πιθ')),
  },
  {
    suffixes: [...rulesFor(5, 'ουσεσ'), ...rulesFor(4, 'ουσα ουσε')],
    back: 'ουσ',
    when: either(
      endsInVowel,
      oneOf(
        'φαρμακ χαδ αγκ αναρρ βρομ εκλιπ λαμπιδ λεχ μ πατ ρ λ μεδ μεσαζ υποτειν αμ αιθ ανηκ δεσποζ ενδιαφερ δε ' +
          'δευτερευ καθαρευ πλε τσα',
      ),
      endingIn('ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ'),
    ),
  },
  {
    suffixes: [...rulesFor(4, 'αγεσ'), ...rulesFor(3, 'αγα αγε')],
    back: 'αγ',
    when: (stem) => keepsAg(stem) && !losesAg(stem),
  },
  {
    suffixes: [...rulesFor(4, 'ησου'), ...rulesFor(3, 'ησε ησα')],
    back: 'ησ',
    when: oneOf('ν χερσον δωδεκαν ερημον μεγαλον επταν'),
  },
  {
    suffixes: rulesFor(4, 'ηστε'),
    back: 'ηστ',
    when: oneOf('ασβ σβ αχρ χρ απλ αειμν δυσχρ ευχρ κοινοχρ παλιμψ'),
  },
  {
    suffixes: [...rulesFor(6, 'ησουνε ηθουνε'), ...rulesFor(4, 'ουνε')],
    back: 'ουν',
    when: oneOf('ν ρ σπι στραβομουτσ κακομουτσ εξων'),
  },
  {
    suffixes: [...rulesFor(6, 'ησουμε ηθουμε'), ...rulesFor(4, 'ουμε')],
    back: 'ουμ',
    when: oneOf('παρασουσ φ χ ωριοπλ αζ αλλοσουσ ασουσ'),
  },
  { suffixes: [...rulesFor(5, 'ματων:μα ματοσ:μα'), ...rulesFor(4, 'ματα:μα')], ...never },
];

const keepsAg = either(
  oneOf(
    'αβαστ πολυφ αδηφ παμφ ρ ασπ αφ αμαλ αμαλλι ανυστ απερ ασπαρ αχαρ δερβεν δροσοπ ξεφ νεοπ νομοτ ολοπ ομοτ ' +
      'προστ προσωποπ συμπ συντ τ υποτ χαρ αειπ αιμοστ ανυπ αποτ αρτιπ διατ εν επιτ κροκαλοπ σιδηροπ λ ναυ ουλαμ ' +
      'ουρ π τρ μ',
  ),
  endingIn('οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην'),
);
const losesAg = either(oneOf('ψοφ ναυλοχ'), endingIn('κολλ'));

/** Endings of words that no step has made shorter. */
const ENDINGS: readonly SuffixRule[] = [
  ...rulesFor(9, 'ιοντουσαν'),
  ...rulesFor(8, 'ιομασταν ιοσασταν ιουμαστε οντουσαν'),
  ...rulesFor(7, 'ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν ηθηκατε ομασταν οσασταν ουμαστε'),
  ...rulesFor(6, 'ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν ουσατε'),
  ...rulesFor(
    5,
    'αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ουμαι ουσαν',
  ),
  ...rulesFor(4, 'αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν'),
  ...rulesFor(3, 'αει εισ ηθω ησω ουν ουσ'),
  ...rulesFor(2, 'αν ασ αω ει εσ ησ οι οσ ου υσ ων'),
  ...rulesFor(1, 'α ε η ι ο υ ω'),
];

const DEGREES = rulesFor(0, 'εστερ εστατ οτερ οτατ υτερ υτατ ωτερ ωτατ');

/** Greek. */
export function stemGreek(input: string): string {
  if (input.length < 4) return input;
  let word = input;
  for (const { suffixes, back, when } of STEPS) {
    const stem = replaceSuffix(word, suffixes);
    if (stem !== undefined) word = when(stem) ? stem + back : stem;
  }
  if (word.length === input.length) word = replaceSuffix(word, ENDINGS) ?? word;
  return replaceSuffix(word, DEGREES) ?? word;
}
