/**
 * Names of the vendor's facilities by group and code, from its own list of 2016: what a property is described with
 * while the current list (586 entries in 2024) cannot be fetched. A code means something only together with its group.
 */
const NAMES: Readonly<Record<number, string>> = {
  10:
    '20 Year of construction|30 Year of most recent renovation|40 Annexe (s)|' +
    '50 Number of floors (main building)|56 Connecting rooms|60 Number of floors (annexe)|' +
    '70 Total number of rooms|80 Single rooms|90 Double rooms|95 Junior suites|100 Suites|110 Apartments|' +
    '115 Studios|120 Bungalows|123 Villas|124 Disability-friendly rooms|126 Triple rooms|127 Quadruple rooms|' +
    '128 Executive rooms|129 Superior rooms|131 Family rooms|132 Twin rooms',
  20:
    '10 Hotel|25 Apartment hotel|30 Apartment|50 Guest house|60 Rural house|160 Hostel|220 Lodge|250 Campsite|' +
    '260 Botel|270 Cruise|300 VR Condo|310 VR Villa|320 VR Townhouse|330 VR Resort|340 Riad|350 Motel|' +
    '360 Bed and breakfast|370 Boutique|380 Luxurious historical hotel|390 Pousada|400 Residence|' +
    '410 Rural hotel',
  30:
    '10 American Express|20 EC|30 JCB|40 Diners Club|50 MasterCard|60 Visa|80 Maestro|90 Visa Electrón|' +
    '110 EuroCard|115 Euro 6000|120 China Unionpay',
  40:
    '10 City centre|20 Nearest Bus / Metro Stop|40 Beach|70 Harbour|80 Airport|125 Entertainment Area|' +
    '130 Golf course|145 Bus/Train station|160 Ski slopes',
  60:
    '10 Bathroom|20 Shower|30 Bathtub|40 Hairdryer|50 Direct dial telephone|55 TV|80 Radio|90 Hi-fi|' +
    '100 Internet access|110 Kitchenette|111 Kitchen utensils, plates & cups|115 Kitchen|120 Minibar|' +
    '130 Fridge|135 Mini fridge|137 Cooker|140 Microwave|143 Tea and coffee making facilities|' +
    '145 Washing machine|147 Ironing set|160 Carpeted floors|170 Centrally regulated air conditioning|' +
    '180 Individually adjustable air conditioning|190 Central heating|195 Individually adjustable heating|' +
    '200 Safe|220 Living room|230 Balcony|240 Terrace|250 Wheelchair-accessible|' +
    '260 Disability-friendly bathroom|261 Wi-fi|262 Wake-up service|263 Pillow menu|264 Cot on demand|' +
    '265 Bluetooth speaker|266 Turndown service|268 220V power supply|269 Hydro-massage bath|270 CD player|' +
    '271 DVD player|272 Pay movies|273 Alarm clock|274 Video games console|275 Extra beds on demand|' +
    '276 Toiletries|277 Background music|279 Desk|280 Bathrobes|281 Slippers|282 Make-up mirror|' +
    '283 Trouser press|285 Welcome pack|286 Fan|287 Smoking rooms|288 Satellite TV|289 Cable TV|' +
    '290 Dishwasher|292 Plug adaptor|293 Towel menu|295 Room size (sqm)|296 Fireplace|297 Smoke detector|' +
    '298 Number of bedrooms|299 Shared bathroom|300 Housekeeping|301 Oxygen enrichment|' +
    '302 Children share the bed with parents|303 Soundproof room|304 Telephone in the bathroom|305 Hot tub|' +
    '306 Outdoor swimming pool|307 Sauna|308 Fitness room|309 Billiards|310 Turkish steam bath|' +
    '311 Table tennis|312 Solarium|313 Indoor swimming pool|314 Garden|315 Game room|316 Darts|' +
    '317 Children playground|318 Toaster|319 Oven|320 Dining Area|321 Clothes Dryer|322 BBQ Facilities|' +
    '323 Ski to Door Acces|324 Grill/BBQ|325 Ski Storage|326 Private Pool|' +
    '327 Towels and bed linen at surcharge|328 Private Beach Area|329 Library|330 Electric Kettle|' +
    '331 Bikes Available',
  61:
    '1 Single bed 90-130 width|150 Double bed 131-150 width|155 King-size bed 150-183 width|284 Sofa bed|' +
    '294 Queen-size bed 150-154 width|992 Rollaways on demand|993 Bunk beds',
  62:
    '1 Single bed 90-130 width|150 Double bed 131-150 width|155 King-size bed 150-183 width|284 Sofa bed|' +
    '294 Queen-size bed 150-154 width|992 Rollaways on demand|993 Bunk beds',
  70:
    '10 Air conditioning in public areas|11 Fireplace|12 Smoke detector|30 24-hour reception|40 Hotel safe|' +
    '50 Currency exchange facilities|60 Cloakroom|70 Lift access|90 Newspaper stand|100 Supermarket|110 Shop|' +
    '125 Garden|135 Terrace|210 Key Collection|240 Mobile phone coverage|250 Wired Internet|260 Check-in hour|' +
    '270 Room service|280 Laundry service|285 Launderette|290 Medical service|295 Wheelchair-accessible|' +
    '300 Bicycle storage|310 Bicycle hire service|320 Car park|330 Garage|390 Check-out hour|430 Sun terrace|' +
    '470 Gym|475 Day-care centre|485 Babysitting service|490 Car hire|495 Transfer service|500 Secure parking|' +
    '505 Multilingual staff|515 Newspapers|520 24-hour security|525 Bellboy service|' +
    '535 Small pets allowed (under 5 kg)|540 Large pets allowed (over 5 kg)|545 Golf desk|550 Wi-fi|' +
    '556 Local and international calls|559 Luggage room|560 Valet parking|562 Airport Shuttle|' +
    '564 Late Check-out|565 Toaster|566 Oven|567 Dining area|568 Clothes dryer|569 BBQ facilities|' +
    '570 Ski to door acces|571 Grill/BBQ|572 Ski storage|573 Private pool|574 Private beach area|575 Library|' +
    '576 Electric kettle|577 Bikes available|578 Towels and bed linen at surcharge',
  71:
    '80 Café|130 Bar|200 Restaurant|220 Non-smoking area|225 Smoking area|230 Highchairs|' +
    '555 Poolside snack bar|560 Banquet hall|565 Show cooking|570 Swim-up bar|' +
    '575 Air conditioning in Restaurant|580 Breakfast room',
  72:
    '170 Conference room|575 Meeting room|580 Projector|590 Conference hostess|595 Secretarial service|' +
    '600 Photocopier|605 Business centre|610 Fax|620 Printer|630 Audio-visual equipment rental',
  73:
    '140 Pub|150 Nightclub|160 Theatre / auditorium|180 Casino|190 Game room|193 TV lounge|340 Kids’ club|' +
    '350 Children playground|360 Indoor freshwater pool|361 Indoor saltwater pool|362 Indoor heated pool|' +
    '363 Outdoor freshwater pool|364 Outdoor saltwater pool|365 Outdoor heated pool|' +
    '385 Children’s swimming area|395 Sun loungers|400 Parasols|401 Entertainment programme for adults|' +
    '405 Entertainment programme for children|610 WaterSlides',
  74:
    '120 Hairdressing salon|410 Hot tub|420 Sauna|425 Solarium|440 Steam bath|450 Massage|460 Spa treatments|' +
    '615 Beauty salon|620 Spa centre|630 Turkish bath (hamam)',
  75:
    '635 Green Globe 21|640 Earth Check|645 Travelife|650 Green Star|655 Rainforest Alliance|' +
    '660 Biosphere Certification - Responsible Tourism Institute (ITR)|' +
    '840 ISO 9001 certified hotels and restaurants|845 ISO 14001 certified hotels and restaurants',
  76:
    '670 EMAS II|675 EU Ecolabel|695 Austrian Ecolabel (Umweltzeichen für Tourismusbetriebe)|' +
    '740 ECO Certification Malta|741 TourCert',
  77: '755 CST – Costa Rica',
  78: '810 EcoCertification (EA) – Australia',
  79: '830 FTTSA – South Africa',
  80:
    '11 Breakfast and dinner|12 Breakfast and lunch|30 Breakfast buffet|35 Continental breakfast|40 Breakfast|' +
    '50 Buffet lunch|60 À la carte lunch|70 Set menu lunch|80 Buffet dinner|90 À la carte dinner|' +
    '100 Set menu dinner|114 Snacks|130 Special dietary options|160 Early bird breakfast|' +
    '170 Late riser breakfast|180 Hot breakfast|200 Breakfast served to the table|210 Picnic|220 Brunch|' +
    '230 Gluten-free meals|240 No alcohol is served|250 Vegetarian meal|251 Half board without drinks|' +
    '252 Half board with non-alcoholic drinks|253 Half board with drinks|254 Full board without drinks|' +
    '255 Full board with non-alcoholic drinks|256 Full board with drinks|257 All inclusive without drinks|' +
    '258 All inclusive with non-alcoholic drinks|259 All inclusive with alcoholic drinks own brands|' +
    '260 All inclusive with alcoholic drinks top brands|261 Full board|262 Half Board|263 All inclusive|' +
    '264 Breakfast a la carte|265 Gala dinner',
  85:
    '1 Gay-friendly|2 Naturist|3 Stag-hen parties are not allowed|130 Flight information required|' +
    '203 Only Adults|551 Charges for late arrival|552 Early Check-in|554 Early departure|' +
    '557 Identification card at arrival|558 Marriage certificate required for a couple to share room|' +
    '561 Deposit on arrival|562 Non-smoking establishment|' +
    '563 Children get free accommodation, with paid meals',
  90:
    '90 Aqua fit|160 Banana boating|170 Waterskiing|180 Jet ski|190 Motor board ride|200 Diving|' +
    '210 Windsurfing|220 Sailing|230 Catamaran sailing|240 Canoeing|250 Pedal boating|260 Table tennis|' +
    '270 Squash|280 Aerobics|295 Fitness|300 Archery|310 Horse riding|320 Cycling / mountain biking|' +
    '325 Handball|330 Basketball|335 Volleyball|340 Beach volleyball|350 Billiards|360 Bocce|' +
    '370 Bowling alley|380 Mini golf|390 Golf|410 Surfing|430 Tennis|440 Paddle tennis|450 Badminton|' +
    '460 Darts|470 Putting green|480 Snowboarding|490 Skiing|500 Tobogganing|510 Ski pass|' +
    '520 Golf practice facility|530 Safari',
}

const GROUPS: Readonly<Record<number, string>> = {
  10: 'Building',
  30: 'Methods of payment',
  40: 'Distances',
  60: 'Room facilities',
  61: 'Beds',
  62: 'Beds',
  70: 'Facilities',
  71: 'Catering',
  72: 'Business',
  73: 'Entertainment',
  74: 'Health',
  75: 'Green programmes',
  76: 'Green programmes',
  77: 'Green programmes',
  78: 'Green programmes',
  79: 'Green programmes',
  80: 'Meals',
  85: 'Things to keep in mind',
  90: 'Sports',
  91: 'Health and safety',
}

/** `60-261`: group and code as one key. */
export const facilityKey = (group: number, code: number): string => `${group}-${code}`

export const FACILITY_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([group, list]) =>
    list.split('|').map((entry): [string, string] => {
      const space = entry.indexOf(' ')
      return [facilityKey(Number(group), Number(entry.slice(0, space))), entry.slice(space + 1)]
    }),
  ),
)

/** Our headings: shorter than the vendor's ("Room facilities (Standard room)"), and the same for its split groups. */
export const groupName = (group: number): string => GROUPS[group] ?? 'Other'
