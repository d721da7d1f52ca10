import { isFlat, type MatchTraits } from './match-traits.ts'
import { isBeforeNames } from './names/brands.ts'
import { compareNames, type NameComparison } from './names/compare-names.ts'
import { interpolateLinear } from './names/interpolate.ts'
import { type WordWeights, weightsAlone } from './names/local-words.ts'
import { namesClash } from './names/name-clash.ts'
import { kindPenalty } from './names/name-words.ts'
import { wordSimilarity } from './names/word-similarity.ts'
import { isSamePhone } from './phone.ts'
import { compareAddresses, type StreetVerdict } from './street-address.ts'

/** Weight in log-odds. */
export type Evidence = { readonly fact: string; readonly weight: number }

export type Comparison = {
  /** Sum of the evidence; above 0 is more likely than not. */
  readonly odds: number
  readonly evidence: readonly Evidence[]
}

/** Beyond this distance two vendors never mean the same building. */
export const MATCH_RADIUS_KM = 1.5

/** Nearer, distance alone says as much as rarity. */
const RARE_KM = 0.05
/** Nearer, vendors may name different suburbs. */
const ONE_TOWN_KM = 0.3
const BRAND_OMITTED = -0.3
const BRAND_ABSENT = -2.8

/** Beyond this distance only equal names at one address are compared. */
const NEAR_KM = 0.8

/** Odds from which two vendor properties are one building. */
export const MATCH_ODDS = 1.35

/** Most neighbours of a property are other properties. */
const PRIOR = -2.5

/** Lower bounds of the distance odds if other evidence shows that a vendor's coordinates are coarse. */
const COARSE = { sameAddress: 0.3, sameAddressFar: -0.6, uniqueName: 0.3 } as const

/** All words are equal, not only the distinctive ones. */
const SAME_WORDS = 0.4

/** Shared telephone of flats at two addresses, which may only have the same owner. */
const ONE_OWNER = 0.5

const KM_PER_DEGREE = 111.195

/** Reasons why two records cannot be one building, whatever else they have in common. */
export const IMPOSSIBILITIES = ['too_far', 'too_far_for_names', 'names_exclude', 'names_differ', 'other_brand'] as const
export type Impossibility = (typeof IMPOSSIBILITIES)[number]

/** Log-odds that two vendors' properties are one building; undefined if that is impossible. */
export function compareTraits(
  a: MatchTraits,
  b: MatchTraits,
  weighWords: WordWeights = weightsAlone,
): Comparison | undefined {
  const found = judgeTraits(a, b, weighWords)
  return typeof found === 'string' ? undefined : found
}

/**
 * Evidence for and against one building (Fellegi–Sunter: independent evidence adds up). Cheap tests come first, because most
 * neighbours are different properties.
 */
export function judgeTraits(a: MatchTraits, b: MatchTraits, weighWords: WordWeights): Comparison | Impossibility {
  const km = flatDistanceKm(a, b)
  if (km > MATCH_RADIUS_KM) return 'too_far'
  if (km > NEAR_KM && a.name.joined !== b.name.joined) return 'too_far_for_names'
  if (namesClash(a, b)) return 'names_exclude'
  const samePhone = isSamePhone(a.phone, b.phone)
  const names = compareNames(a, b, weighWords)
  if (names.odds <= -5 && !samePhone) return 'names_differ'
  if (km > GRADE_KM && !sharesBrand(a, b)) return 'other_brand'

  const evidence: Evidence[] = []
  const add = (fact: string, weight: number) => {
    if (weight !== 0) evidence.push({ fact, weight: Math.round(weight * 100) / 100 })
  }
  const street = compareAddresses(a.streets, b.streets, a.name.arabic)
  add('most neighbours are different properties', PRIOR)
  add(`names ${Math.round(names.similarity * 100)} % alike`, names.odds - names.extra - names.against)
  if (names.extra !== 0) add(withWords('in one name only', a, b, names), names.extra)
  if (names.against !== 0) add(withWords('different words', a, b, names), names.against)
  add(`${Math.round(km * 1000)} m away`, distanceOdds(km, names, street, weighWords, a, b))
  add('the same words in both names', names.equal && a.name.plain === b.name.plain ? SAME_WORDS : 0)
  addNumbers(a, b, names, add)
  addNameParts(a, b, samePhone, add)
  add('inside the other, by its name', names.inside ? -5 : 0)
  if (samePhone) add('same telephone', street.startsWith('other') && isFlat(a) && isFlat(b) ? ONE_OWNER : 2.5)
  else if (a.phone !== '' && b.phone !== '') add('other telephone', -0.5)
  addAddress(street, km, a, b, add)
  addStars(a, b, add)
  addChain(a, b, add)
  return { odds: evidence.reduce((sum, { weight }) => sum + weight, 0), evidence }
}

/** Every village may have a "Gasthof Goldener Adler". */
const inOneCity = (a: MatchTraits, b: MatchTraits): boolean =>
  a.city.size === 0 || b.city.size === 0 || [...a.city].some((word) => b.city.has(word))

/** A vendor's coordinates may be coarse; a matching address or a unique name is stronger evidence. */
function distanceOdds(
  km: number,
  names: NameComparison,
  street: StreetVerdict,
  weighWords: WordWeights,
  a: MatchTraits,
  b: MatchTraits,
): number {
  const odds = interpolateLinear(DISTANCE_ODDS, Math.max(0, km - a.coarseKm - b.coarseKm))
  if (
    names.contained &&
    !street.startsWith('other') &&
    (km < ONE_TOWN_KM || inOneCity(a, b)) &&
    !(isFlat(a) && isFlat(b)) &&
    km > RARE_KM &&
    weighWords.isRare(a) &&
    weighWords.isRare(b)
  )
    return Math.max(odds, interpolateLinear(names.nearlyEqual ? RARE_EQUAL : RARE_ODDS, km))
  if (street === 'same number' && names.equal && km > NEAR_KM) return Math.max(COARSE.sameAddressFar, odds)
  if (street === 'same number' && names.contained) return Math.max(COARSE.sameAddress, odds)
  return names.unique && street === 'unknown' && inOneCity(a, b) ? Math.max(COARSE.uniqueName, odds) : odds
}

/** Grades of a brand, such as "Hyatt Centric" and "Hyatt", may be one property only at one place. */
const GRADE_KM = 0.1

const sharesBrand = ({ name: { brands } }: MatchTraits, b: MatchTraits): boolean =>
  brands.length === 0 || b.name.brands.length === 0 || brands.some((brand) => b.name.brands.includes(brand))

/** "different words: lark / finch". Without unmatched words only the spelling differs. */
function withWords(fact: string, a: MatchTraits, b: MatchTraits, { left: [leftA, leftB] }: NameComparison): string {
  const words = [a.name.words.filter((_, index) => leftA[index]), b.name.words.filter((_, index) => leftB[index])]
    .map((words) => words.join(' ').replaceAll('=', ''))
    .filter((words) => words !== '')
    .join(' / ')
  return words === '' ? 'other spelling' : `${fact}: ${words}`
}

type AddEvidence = (fact: string, weight: number) => void

/** "Apartment Danube 102" and "Apartment Danube Hanna": each has something the other lacks. */
const NUMBER_AGAINST_WORD = -8

function addNumbers(a: MatchTraits, b: MatchTraits, { left }: NameComparison, add: AddEvidence): void {
  if (a.name.numbers.length === 0 && b.name.numbers.length === 0) return
  const unexplained = (own: MatchTraits, other: MatchTraits) =>
    own.name.numbers.filter(
      (number) =>
        !other.name.numbers.includes(number) &&
        ![a, b].some((side) => isInAddress(Number(number), side) || side.name.words.includes(`${number}th`)),
    )
  const [onlyA, onlyB] = [unexplained(a, b), unexplained(b, a)]
  const numbers = [...onlyA, ...onlyB]
  if (numbers.length > 0) {
    const isAgainstWord = (onlyA.length > 0 && left[1].includes(true)) || (onlyB.length > 0 && left[0].includes(true))
    const isLarge = numbers.every((number) => Number(number) >= 100) && !(isFlat(a) && isFlat(b))
    add('number in one name only', isLarge ? -1.5 : isAgainstWord ? NUMBER_AGAINST_WORD : -5)
  }
  const isSame = a.name.numbers.join() === b.name.numbers.join()
  add('same number in both names', isSame ? 0.5 : 0)
}

function addNameParts(a: MatchTraits, b: MatchTraits, samePhone: boolean, add: AddEvidence): void {
  const x = a.name
  const y = b.name
  add('tower, wing or annex in one name only', x.parts === y.parts ? 0 : -5)
  add('brand in one name only', brandPenalty(a, b, samePhone))
  add('different kinds of property', kindPenalty(x.kinds, y.kinds))
  add('apartments in one name only', flatPenalty(a, b) + flatPenalty(b, a))
}

/** Most brands precede only a place, so a name without it is another hotel in that place. */
function brandPenalty(a: MatchTraits, b: MatchTraits, samePhone: boolean): number {
  const [branded, other] = a.name.brands.length > 0 ? [a, b] : [b, a]
  if (branded.name.brands.length === 0 || other.name.brands.length > 0) return 0
  const isOmitted =
    samePhone ||
    branded.name.brands.some(isBeforeNames) ||
    other.chain.some((word) => branded.name.brands.some((brand) => brand.includes(word)))
  return isOmitted ? BRAND_OMITTED : BRAND_ABSENT
}

/** Weight of "apartments" in only one name, by the category of the other property. */
const ONE_FLAT = { flat: 0, hotel: -1.6, '': -0.8 } as const
/** "Residences" of a hotel brand are not its hotel. */
const FLATS_OF_BRAND = -3.5
const FLAT_BRANDS = new Set(['=citadines', '=adagio', '=adagioaccess', '=novotelliving', '=marriottapartments'])

function flatPenalty(flat: MatchTraits, other: MatchTraits): number {
  if (!isFlatOnly(flat) || !hasNoKind(other)) return 0
  const isBranded =
    flat.name.brands.some((brand) => !FLAT_BRANDS.has(brand) && !isBeforeNames(brand)) ||
    other.name.brands.some((brand) => !FLAT_BRANDS.has(brand))
  return isBranded ? FLATS_OF_BRAND : ONE_FLAT[other.kind]
}

const isFlatOnly = ({ name }: MatchTraits): boolean => name.kinds.length === 1 && name.kinds[0] === 'flat'
const hasNoKind = ({ name }: MatchTraits): boolean => name.kinds.length === 0

/** In Paris, Lyon and Marseille. */
const ARRONDISSEMENT = /^(?:75|69|13)0[0-2]\d$/

/** "Hotel 91" at number 91, "Paris 15" in 75015. */
const isInAddress = (number: number, { streets, postalCode }: MatchTraits): boolean =>
  streets.some(({ from, to, words }) => (number >= from && number <= to) || words.includes(`${number}th`)) ||
  (ARRONDISSEMENT.test(postalCode) && number === Number(postalCode.slice(-3)))

function addAddress(street: StreetVerdict, km: number, a: MatchTraits, b: MatchTraits, add: AddEvidence): void {
  // A building may have entrances in two streets.
  if (street === 'other street') add('other street', km < 0.05 ? -0.4 : -0.7)
  if (street === 'same street') add('same street', 0.5)
  if (street === 'same number') add('same street and house number', 1.6)
  if (street === 'other number') add('same street, other house number', -0.8)
  if (a.postalCode !== '' && b.postalCode !== '') {
    const same = a.postalCode === b.postalCode
    add(same ? 'same postal code' : 'other postal code', same ? 0.3 : -0.4)
  }
}

function addStars(a: MatchTraits, b: MatchTraits, add: AddEvidence): void {
  if (a.stars === 0 || b.stars === 0) return
  const difference = Math.abs(a.stars - b.stars)
  if (difference <= 0.5) add('same stars', 0.3)
  else if (difference > 2) add(`${difference} stars difference`, -1.5)
  else if (difference > 1) add(`${difference} stars difference`, -0.6)
}

function addChain(a: MatchTraits, b: MatchTraits, add: AddEvidence): void {
  if (a.chain.length === 0 || b.chain.length === 0) return
  const same = a.chain.some((word) => b.chain.some((other) => wordSimilarity(word, other) > 0))
  add(same ? 'same chain' : 'other chain', same ? 0.4 : -1)
}

const DISTANCE_ODDS: readonly (readonly [km: number, odds: number])[] = [
  [0, 2.3],
  [0.03, 2.2],
  [0.1, 1.6],
  [0.25, 0.6],
  [0.5, -0.6],
  [1.1, -3],
  [1.5, -4],
]

/** Least distance odds of a name that is the only one of its kind in a town. */
const RARE_EQUAL: typeof DISTANCE_ODDS = [
  [0.15, 1.9],
  [0.3, 1.5],
  [0.6, 0.9],
  [0.8, 0.2],
  [1.5, -2.5],
]
const RARE_ODDS: typeof DISTANCE_ODDS = [
  [0.2, 1],
  [0.4, 0.5],
  [0.8, -1.5],
]

/** Accurate to a metre at this range, and several times cheaper than the great circle. */
function flatDistanceKm(a: MatchTraits, b: MatchTraits): number {
  const dLat = a.lat - b.lat
  if (Math.abs(dLat) * KM_PER_DEGREE > MATCH_RADIUS_KM) return Number.POSITIVE_INFINITY
  const span = Math.abs(a.lon - b.lon)
  const dLon = Math.min(span, 360 - span) * Math.cos((a.lat * Math.PI) / 180)
  return Math.sqrt(dLat * dLat + dLon * dLon) * KM_PER_DEGREE
}

/** Probability from log-odds. */
export const oddsToScore = (odds: number): number => 1 / (1 + Math.exp(-odds))
