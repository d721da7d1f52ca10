/** Synonyms; the first is the canonical one. GDS names abbreviate most of them. */
const SAME_WORD_ROWS = `saint st ste sankt san santa sant sainte sao|mount mt|international intl internatl intnl|
centre center ctr cntr ctre centro zentrum centrum zentral|theater theatre|harbor harbour|gray grey|
apartments apts aptmts apartment apartamentos appartements apartaments appartement apart flats appartments apparts|
hotel hotels hotell otel htl hotelli htls albergo hot|hostel hostels|resort resorts rsrt|suites suite stes suits|
residences residence residencia residenz residenza residencial residencies|guesthouse gasthaus gasthof gastehaus guesthse gh|
pension pensione pensio hostal hs hsr|annex annexe dependance anexo dependence depandance nebenhaus nebengebaude|tower towers twr|building bldg|
national natl|university univ|downtown dwtn dntn dwntwn dwntn dtwn|midtown mdtn midtwn mdtwn|uptown uptn|square sq sqr sqre sqare|
north nth|south sth|express exp expr xpress|airport arpt aeroport aeropuerto flughafen airpt aero aeroporto|
station stn stazione estacio estacion|hauptbahnhof hbf|bahnhof bhf|avenue ave av avda avenida avinguda|
boulevard blvd bd bvd|street strt strasse|plaza plz|place pl|garden gdn gdns gardens|conference conf|
convention conv convntn|village vlg|heights hgts hts|park pk|point pt|points pts|beach bch|island isl|fort ft|
manhattan manh mnhtn manhttn|brooklyn bklyn brklyn|financial finl fin fncl|district dist distr|executive exec|house hse|extended extd|
regency rgncy|collection coll colln|inn inns|villas villa|studios studio|museum musee museu museo|
exhibition expo|opera oper|government govt|memorial meml|capitol cap|royal royale|riyadh riad ryad|lodge ldg lodg|
marriott marr marriot mariott mrrtt|hilton hltn hiltn|hampton hmptn hamptn|courtyard ctyd crtyrd crtyd courtyrd|sheraton shrtn|
westin westn|radisson radissn|fairfield fairfld frfld|springhill sprnghill springhl|towneplace townplace twneplace|
staybridge staybrdg stybrdg|candlewood candlewd cndlwd|homewood homewd hmwd|embassy embsy|western wstrn westrn|
crossing xing|crossroads xrds|mountain mtn mtns mntn|valley vly|lake lk|river rvr|springs spgs sprgs|county cnty|
highway hwy|parkway pkwy pky|hospital hosp|medical med medcl|casino csno|terminal term|junction jct|meadows mdws|
corporate corp|technology tech|marketplace mktpl|gateway gtwy|interstate intst|historic hist|headquarters hq|
northeast ne|northwest nw|southeast se|southwest sw|aparthotel apparthotel apartotel apartahotel apartamenthotel apartmenthotel appartementhotel apparthotels aparthotels`

function firstWords(rows: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const row of rows.split('|')) {
    const [first = '', ...others] = row.trim().split(/\s+/)
    for (const other of others) found.set(other, first)
  }
  return found
}

export const SAME_WORD = firstWords(SAME_WORD_ROWS)

const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
/** Not a plain object, because hotels use "constructor" as a name. */
const wordMap = <T>(words: Readonly<Record<string, T>>): ReadonlyMap<string, T> => new Map(Object.entries(words))

/** Words that a name may gain or lose without meaning another property. */
export const FILLER =
  wordSet(`the a an by at in on of and or with to near de du des d la le les l el los las da do das dos di
  del della delle dels al il lo et y e i und am im der die das zum zur den auf an beim bei van het t ter och og u w na
  spa wellness boutique luxury deluxe design lifestyle collection member affiliated brand adults adult only all inclusive superior sup
  style s b bb bnb bandb bed breakfast co inc ltd gmbh kg ohg mbh eu sl sa sas sarl llc srl part jdv
  rooms room managed powered operated formerly ex ehemals hospitality area vicinity furnished non smoking free wifi self check selfcheckin nearby`)

/** Filler words by which the flats of one owner differ. */
export const FLAT_GRADES = wordSet('deluxe luxury superior')

/** Labels under which companies collect independent properties: "Curio Collection by Hilton". */
export const AFFILIATION =
  wordSet(`autograph curio tribute portfolio tapestry handwritten mgallery ascend unbound destination
  leading preferred slh relais chateaux worldhotels worldhotel registry trademark bwh ihg accor happyculture vignette
  elegancia inwood esprit contact logis`)

/** Kinds of property by word. Vendors omit these words, but rarely replace one with another. */
export const KINDS_BY_WORD = wordMap<readonly string[]>({
  apartments: ['flat'],
  aparthotel: ['flat', 'hotel'],
  residences: ['flat'],
  studios: ['flat'],
  condos: ['flat'],
  condominium: ['flat'],
  lofts: ['flat'],
  hostel: ['hostel'],
  backpackers: ['hostel'],
  hotel: ['hotel'],
  inn: ['hotel'],
  motel: ['motel'],
  suites: ['suites'],
  resort: ['resort'],
  lodge: ['lodge'],
  guesthouse: ['guesthouse'],
  pension: ['guesthouse'],
  auberge: ['guesthouse'],
  villas: ['villa'],
  camping: ['camping'],
  glamping: ['camping'],
})

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
export const PART = wordSet('tower annex wing level')

/** Parts only beside a number or a side: "Torre Sur", but not "Torre Catalunya". */
export const PART_BESIDE_SIDE = wordSet('torre tour turm block building phase')

/** Words followed by a letter that identifies one of several: "Block A", "Apartment B". */
export const HAS_LETTER = wordSet(
  'tower annex wing level torre tour turm block building phase house haus unit apartments studios villas residences suites',
)

/** Sides that identify parts of a complex and mean nothing elsewhere. */
export const SIDE_OF_PART = wordSet('garden lagoon ocean sea beach pool lake main classic royal grand club')

/** Words that distinguish properties of one name in one town. */
export const SIDE =
  wordSet(`north south east west northeast northwest southeast southwest nord sud est ouest norte sur este
  oeste ost west upper lower old new alt neu airport station hauptbahnhof bahnhof gare downtown uptown midtown
  lakeside riverside oceanfront beachfront`)

/** Words that are common everywhere, so sharing one says little. */
export const COMMON =
  wordSet(`city centre central park plaza palace royal grand garden square house palais premium art comfort
  station downtown midtown opera museum view river sun star golden old new international street avenue boulevard place
  casa villa haus hof maison home living urban smart modern first premier executive express plus select`)

/** Interchangeable words for a town centre. */
export const CENTRE = wordSet('city centre central innenstadt altstadt stadt ciutat ciudad')

/** Exempt from umlaut folding: "guesthouse" has no umlaut. */
export const LISTED_WORD: ReadonlySet<string> = new Set([
  ...SAME_WORD.values(),
  ...KINDS_BY_WORD.keys(),
  ...[FILLER, AFFILIATION, PART, PART_BESIDE_SIDE, SIDE_OF_PART, SIDE, COMMON, CENTRE].flatMap((words) => [...words]),
])

export const NUMBER = wordMap<string>({
  i: '1',
  ii: '2',
  iii: '3',
  iv: '4',
  vi: '6',
  vii: '7',
  viii: '8',
  ix: '9',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
  uno: '1',
  dos: '2',
  due: '2',
  deux: '2',
  tre: '3',
  tres: '3',
  trois: '3',
  quattro: '4',
  cuatro: '4',
  quatre: '4',
  eins: '1',
  zwei: '2',
  drei: '3',
  vier: '4',
})

/** Spelled-out ordinals; the others have a suffix. */
export const ORDINAL = wordMap<string>({
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
  fifth: '5',
  sixth: '6',
  seventh: '7',
  eighth: '8',
  ninth: '9',
  tenth: '10',
})

/** Vendors' category names. */
export const FLAT_CATEGORY = /apart|appart|flat|condo|residen|holiday home|vacation|chalet|villa/i
export const HOTEL_CATEGORY = /hotel|motel|\binn\b|resort/i
