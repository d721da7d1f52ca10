import { FILLER, KINDS_BY_WORD } from './name-tables.ts'
import { isAbbreviation } from './word-similarity.ts'

/**
 * Brands whose hotels differ by one word: "Ibis" and "Ibis Budget" share buildings. Each row is a brand and its spellings with
 * abbreviations expanded. The company behind a brand ("by Hilton") is part of the spelling.
 */
const ROWS = `hampton: hampton inn and suites by hilton|hampton inn suites by hilton|hampton inn by hilton|hampton by hilton|
hampton inn and suites|hampton inn suites|hampton inn|hampton suites|hampton
hilton garden: hilton garden inn|hilton garden|hilton gi|hilton gdn inn|hgi|hilton grdn inn
doubletree: doubletree suites by hilton|doubletree by hilton|doubletree|double tree by hilton|double tree|dbltree|dt by hilton
homewood: homewood suites by hilton|homewood suites|homewood
home2: home2 suites by hilton|home2 suites|home2|home 2 suites by hilton|home 2 suites|home 2
embassy: embassy suites by hilton|embassy suites
tru: tru by hilton
spark: spark by hilton
motto: motto by hilton
tempo: tempo by hilton
canopy: canopy by hilton
conrad: conrad
waldorf: waldorf astoria|waldorf
hilton vacations: hilton grand vacations|hilton club|hilton vacation club
hilton: hilton
courtyard: courtyard by marriott|courtyard marriott|ctyd by marriott|courtyard
residence inn: residences inn by marriott|residences inn marriott|residences inn|res inn
fairfield: fairfield inn and suites by marriott|fairfield inn suites by marriott|fairfield inn by marriott|fairfield by marriott|
fairfield inn and suites|fairfield inn suites|fairfield inn|fairfield
springhill: springhill suites by marriott|springhill suites|springhill|spring hill suites
towneplace: towneplace suites by marriott|towneplace suites|towneplace
ac: ac hotel by marriott|ac by marriott|ac hotel
moxy: moxy by marriott|moxy
aloft: aloft
element: element by westin|element by marriott
jw marriott: jw marriott
renaissance: renaissance by marriott|renaissance
four points: four points by sheraton|four points flex by sheraton|four points sheraton|four points|4 points by sheraton|4 points
delta: delta hotel by marriott|delta hotel|delta by marriott
gaylord: gaylord
marriott vacations: marriott vacation club
marriott apartments: marriott executive apartments
ritz carlton: ritz carlton
st regis: saint regis
le meridien: le meridien|meridien
westin: westin
sheraton: sheraton
marriott: marriott
holiday inn express: holiday inn express and suites|holiday inn express suites|holiday inn express|hol inn express|holidayinn express|hi express|hie|hix|hiex
holiday inn: holiday inn|hol inn|holidayinn
holiday inn club: holiday inn club vacations
crowne plaza: crowne plaza|crown plaza
intercont|interconinental: intercontinental|intercontl|inter continental|intercont
indigo: hotel indigo|indigo
even: even hotel by ihg|even hotel
staybridge: staybridge suites|staybridge
candlewood: candlewood suites|candlewood
kimpton: kimpton
avid: avid hotel
voco: voco
garner: garner hotel|garner
hyatt place: hyatt place
hyatt house: hyatt house
hyatt centric: hyatt centric
hyatt regency: hyatt regency
grand hyatt: grand hyatt
park hyatt: park hyatt
andaz: andaz by hyatt|andaz
hyatt: hyatt
hyatt vacations: hyatt vacation club|hyatt residences club
best western: best western plus|best western premier|best western signature|best west plus|best west|bw plus|bw premier|bw signature|best western|bw
sure: surestay plus|surestay|sure hotel
comfort inn: comfort inn and suites|comfort inn suites|comfort inn|comfort hotel
comfort suites: comfort suites
quality: quality inn and suites|quality inn suites|quality inn|quality hotel
sleep inn: sleep inn
clarion: clarion
cambria: cambria
econo lodge: econo lodge|econolodge
rodeway: rodeway inn|rodeway
days inn: days inn by wyndham|days inn
super 8: super 8 by wyndham|super 8|super eight
wyndham garden: wyndham garden
wyndham grand: wyndham grand
club wyndham: club wyndham
wyndham: wyndham
la quinta: la quinta inn and suites by wyndham|la quinta inn and suites|la quinta inn suites|la quinta|lq by wyndham|lq
tryp: tryp by wyndham|tryp
howard johnson: howard johnson by wyndham|howard johnson|howard johnsn|howard johnso|hojo
travelodge: travelodge by wyndham|travelodge
ramada: ramada plaza by wyndham|ramada by wyndham|ramada plaza|ramada encore|ramada
red roof: red roof plus|red roof inn|red roof
motel 6: motel 6
studio 6: studio 6|studio6
microtel: microtel inn and suites by wyndham|microtel inn and suites|microtel inn suites|microtel inn|microtel
baymont: baymont inn and suites|baymont inn suites|baymont inn|baymont
wingate: wingate inn|wingate
hawthorn: hawthorn suites|hawthorn
americinn: americinn
woodspring: woodspring suites|woodspring
mainstay: mainstay suites|mainstay
suburban: suburban extended stay|suburban studios
knights inn: knights inn
drury: drury inn and suites|drury inn suites|drury inn|drury plaza|drury
sonesta: sonesta
sonesta suites: sonesta es suites|sonesta simply suites
best value: americas best value inn|americas best value
loews: loews
omni: omni
hard rock: hard rock
movenpick: movenpick
rotana: rotana
swissotel: swissotel
raffles: raffles
rixos: rixos
banyan tree: banyan tree
motel one: motel one
extended stay: extended stay america premier|extended stay america select|extended stay america|extended stay amer|extended stay
radisson blu: radisson blu
radisson red: radisson red
radisson: radisson
park plaza: park plaza
park inn: park inn by radisson|park inn
ibis budget: ibis budget
ibis styles: ibis styles
ibis: ibis
novotel suites: novotel suites
novotel living: novotel living
novotel: novotel
mercure: mercure
grand mercure: grand mercure
sofitel: sofitel
pullman: pullman
adagio access: adagio access
adagio: adagio
f1: hotelf1|hotel f1
campanile: campanile
kyriad: kyriad prestige|kyriad direct|kyriad
premiere classe: premiere classe
golden tulip: golden tulip
tulip inn: tulip inn
premier inn: premier inn
nh collection: nh collection
nhow: nhow
nh: nh
melia: melia
innside: innside by melia|innside
sol: sol by melia
meininger: meininger
generator: generator
citadines: citadines
leonardo royal: leonardo royal
leonardo boutique: leonardo boutique
leonardo: leonardo
steigenberger: steigenberger
maxx: maxx by steigenberger
intercity: intercityhotel|intercity hotel
b&b: b b hotel|b and b hotel|bandb hotel|bb hotel|b b hotels
citizenm: citizenm|citizen m
yotel: yotel
pod: pod
club quarters: club quarters
riu plaza: riu plaza
four seasons: four seasons|4 seasons
mandarin oriental: mandarin oriental
kempinski: kempinski
anantara: anantara
fairmont: fairmont
peninsula: peninsula
shangri la: shangri la
rosewood: rosewood
barcelo: barcelo
h10: h10
catalonia: catalonia
eurostars: eurostars
exe: exe
hesperia: hesperia
a&o: a and o|a o|ao hostel
w: w hotel`

/** Replaces a brand in a name by one unique word. */
const mark = (brand: string): string => `=${brand.replaceAll(' ', '')}`

type Spelling = { readonly tokens: readonly string[]; readonly brand: string }

/** Brands of the companies that are brands themselves: "Courtyard Riverside Marriott" is a Courtyard. */
const COMPANIES =
  readRows(`marriott: courtyard residenceinn fairfield springhill towneplace ac moxy aloft element jwmarriott renaissance
 fourpoints delta gaylord ritzcarlton stregis lemeridien westin sheraton marriottapartments marriottvacations
hilton: hampton hiltongarden doubletree homewood home2 embassy tru spark motto tempo canopy conrad waldorf hiltonvacations
hyatt: andaz hyattplace hyatthouse hyattcentric hyattregency grandhyatt parkhyatt hyattvacations
wyndham: wyndhamgarden wyndhamgrand clubwyndham microtel baymont wingate hawthorn americinn daysinn super8 laquinta tryp
 howardjohnson travelodge ramada
radisson: radissonblu radissonred parkplaza parkinn
melia: innside sol
leonardo: leonardoroyal leonardoboutique
steigenberger: maxx`)

/** Grades of one brand, which some vendors omit. Unlike "Hyatt Place", they are rarely next to a hotel of the plain brand. */
const GRADES = readRows(`hyatt: hyattcentric hyattregency grandhyatt parkhyatt
radisson: radissonblu radissonred
nh: nhcollection
leonardo: leonardoroyal leonardoboutique
wyndham: wyndhamgarden wyndhamgrand
mercure: grandmercure
sonesta: sonestasuites`)

/** Brands before a hotel's own name, which some vendors omit: "Mercure Hotel Raphael". The others precede only a place. */
const BEFORE_NAMES = new Set(
  `bestwestern kimpton mercure grandmercure sofitel pullman renaissance eurostars exe hesperia nh nhcollection nhow melia sol innside h10
 catalonia barcelo leonardo leonardoroyal leonardoboutique steigenberger maxx fairmont kempinski goldentulip tulipinn kyriad campanile
 clarion quality ramada tryp radisson radissonblu radissonred parkplaza anantara rosewood peninsula lemeridien jwmarriott waldorf conrad
 ritzcarlton stregis andaz delta indigo voco sure sonesta loews omni wyndham wyndhamgrand rotana movenpick swissotel millennium raffles
 rixos w shangrila canopy citadines meininger clubquarters premiereclasse mandarinoriental banyantree`
    .split(/\s+/)
    .map((brand) => `=${brand}`),
)

function readRows(rows: string): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    rows
      .replaceAll('\n ', ' ')
      .split('\n')
      .map((row) => {
        const [company = '', brands = ''] = row.split(': ')
        return [`=${company}`, new Set(brands.split(' ').map((brand) => `=${brand}`))]
      }),
  )
}

/** Spellings by first word, longest first. */
const BY_FIRST = new Map<string, Spelling[]>()
for (const row of ROWS.replaceAll('|\n', '|').split('\n')) {
  const [name = '', spellings = ''] = row.split(': ')
  for (const spelling of spellings.split('|')) {
    const tokens = spelling.trim().split(' ')
    const list = BY_FIRST.get(tokens[0] ?? '') ?? []
    list.push({ tokens, brand: mark(name) })
    BY_FIRST.set(tokens[0] ?? '', list)
  }
}
for (const list of BY_FIRST.values()) list.sort((a, b) => b.tokens.length - a.tokens.length)

/** Every word of the brands. */
export const BRAND_WORDS: ReadonlySet<string> = new Set(
  [...BY_FIRST.values()].flatMap((spellings) => spellings.flatMap(({ tokens }) => tokens)),
)
const LONG_BRANDS = [...BRAND_WORDS].filter((word) => word.length >= 7)

/** "SHERATN" in a reservation system: first and last letter and all consonants. */
export const expandBrand = (token: string): string =>
  token.length < 5 || BRAND_WORDS.has(token)
    ? token
    : (LONG_BRANDS.find(
        (word) => word[0] === token[0] && word.at(-1) === token.at(-1) && word !== token && isAbbreviation(token, word),
      ) ?? token)

export const isBrand = (word: string): boolean => word.startsWith('=')

/** True for "Hyatt" and "Hyatt Centric". */
export const isGradeOf = (a: string, b: string): boolean =>
  GRADES.get(a)?.has(b) === true || GRADES.get(b)?.has(a) === true

export const isBeforeNames = (brand: string): boolean => BEFORE_NAMES.has(brand)

/** "Nyx by Leonardo" is not a "Leonardo", but "Suites by Leonardo" has no other name. */
const isEndorsed = (before: readonly string[]): boolean =>
  before.at(-1) === 'by' && before.slice(0, -1).some((token) => !KINDS_BY_WORD.has(token) && !FILLER.has(token))

/** Replaces all spellings of brands by their marks, without the company beside its brand. */
export function markBrands(tokens: readonly string[]): string[] {
  const marked = markSpellings(tokens)
  return marked.filter((word) => {
    const own = isBrand(word) ? COMPANIES.get(word) : undefined
    return own === undefined || !marked.some((other) => own.has(other))
  })
}

function markSpellings(tokens: readonly string[]): string[] {
  const marked: string[] = []
  // "W New York": later in a name the letter is an abbreviation.
  if (tokens[0] === 'w' && tokens.length > 1) return [mark('w'), ...markSpellings(tokens.slice(1))]
  for (let index = 0; index < tokens.length; ) {
    const found = BY_FIRST.get(tokens[index] ?? '')?.find((spelling) =>
      spelling.tokens.every((token, i) => tokens[index + i] === token),
    )
    if (found === undefined) marked.push(tokens[index] ?? '')
    else if (!isEndorsed(marked) && !marked.includes(found.brand)) marked.push(found.brand)
    index += found?.tokens.length ?? 1
  }
  return marked
}
