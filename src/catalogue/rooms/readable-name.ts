/** Abbreviations in reservation systems. */
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

const isAbbreviated = (word: string) => WORDS.has(word.toLowerCase())
const splitWords = (name: string) => name.split(/(?<=[\s,./-])|(?=[\s,./-])/)

/** First name without abbreviations, or else the first one expanded. */
export function readableName(names: readonly string[]): string {
  const clear = names.find((name) => name !== '' && !splitWords(name).some(isAbbreviated))
  return clear ?? expand(names[0] ?? '')
}

const expand = (name: string): string =>
  splitWords(name)
    .map((word) => WORDS.get(word.toLowerCase()) ?? word)
    .join('')
