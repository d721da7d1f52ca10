import words from '../../../../data/words/property-names.json' with { type: 'json' }

/** Words by their synonyms. The first of each row is the canonical one; GDS names abbreviate most of them. */
export const SAME_WORD: ReadonlyMap<string, string> = new Map(
  words.same.flatMap((row) => {
    const [first = '', ...others] = row.split(' ')
    return others.map((other) => [other, first] as const)
  }),
)

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Not a plain object, because hotels use "constructor" as a name. */
const digitsByWord = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(rows).flatMap(([digits, names]) => names.split(' ').map((name) => [name, digits] as const)))

/** Words that a name may gain or lose without meaning another property. */
export const FILLER = wordSet(words.filler)

/** Filler words by which the flats of one owner differ. */
export const FLAT_GRADES = wordSet(words.flatGrades)

/** Labels under which companies collect independent properties: "Curio Collection by Hilton". */
export const AFFILIATION = wordSet(words.affiliation)

/** Kinds of property by word. Vendors omit these words, but rarely replace one with another. */
export const KINDS_BY_WORD: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(words.kinds).map(([word, kinds]) => [word, kinds.split(' ')]),
)

/** Penalties for kinds that are different products even at one address. */
export const CLASHING: Readonly<Record<string, number>> = {
  'flat hostel': -4.5,
  'flat hotel': -4.5,
  'camping hotel': -4.5,
  'hostel hotel': -4.5,
  'hotel villa': -4.5,
  'flat resort': -4.5,
  'hotel suites': -1,
  'hostel suites': -2,
  'guesthouse hostel': -2,
  'flat guesthouse': -2,
  'flat villa': -2,
  'suites villa': -2,
  'camping flat': -2,
  'camping resort': -2,
}

/** Parts of a complex: a name with one of these never equals the name without it. */
export const PART = wordSet(words.part)

/** Parts only beside a number or a side: "Torre Sur", but not "Torre Catalunya". */
export const PART_BESIDE_SIDE = wordSet(words.partBesideSide)

/** Words followed by a letter that identifies one of several: "Block A", "Apartment B". */
export const HAS_LETTER = wordSet(words.hasLetter)

/** Sides that identify parts of a complex and mean nothing elsewhere. */
export const SIDE_OF_PART = wordSet(words.sideOfPart)

/** Words that distinguish properties of one name in one town. */
export const SIDE = wordSet(words.side)

/** Words that are common everywhere, so sharing one says little. */
export const COMMON = wordSet(words.common)

/** Interchangeable words for a town centre. */
export const CENTRE = wordSet(words.centre)

/** Exempt from umlaut folding: "guesthouse" has no umlaut. */
export const LISTED_WORD: ReadonlySet<string> = new Set([
  ...SAME_WORD.values(),
  ...KINDS_BY_WORD.keys(),
  ...[FILLER, AFFILIATION, PART, PART_BESIDE_SIDE, SIDE_OF_PART, SIDE, COMMON, CENTRE].flatMap((words) => [...words]),
])

export const NUMBER = digitsByWord(words.numbers)

/** Spelled-out ordinals; the others have a suffix. */
export const ORDINAL = digitsByWord(words.ordinals)

/** Vendors' category names. */
export const FLAT_CATEGORY = /apart|appart|flat|condo|residen|holiday home|vacation|chalet|villa/i
export const HOTEL_CATEGORY = /hotel|motel|\binn\b|resort/i
