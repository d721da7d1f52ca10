/** Letters that reservation systems write for words, as whole words in a name. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sgl: 'Single',
    dbl: 'Double',
    twn: 'Twin',
    tpl: 'Triple',
    trp: 'Triple',
    qdr: 'Quadruple',
    std: 'Standard',
    sup: 'Superior',
    dlx: 'Deluxe',
    exec: 'Executive',
    fam: 'Family',
    jr: 'Junior',
    ste: 'Suite',
    stes: 'Suites',
    apt: 'Apartment',
    rm: 'Room',
    sv: 'Sea View',
    bdrm: 'Bedroom',
    nonsmk: 'Non-Smoking',
  }),
)

const isShort = (word: string) => WORDS.has(word.toLowerCase())
const wordsOf = (name: string) => name.split(/(?<=[\s,./-])|(?=[\s,./-])/)

/** The first name that needs no expanding, or else the first one with its abbreviations written out. */
export function readableName(names: readonly string[]): string {
  const clear = names.find((name) => name !== '' && !wordsOf(name).some(isShort))
  return clear ?? expanded(names[0] ?? '')
}

const expanded = (name: string): string =>
  wordsOf(name)
    .map((word) => WORDS.get(word.toLowerCase()) ?? word)
    .join('')
