/**
 * Vocabulary of room names as `fact | phrases`; the longest phrase wins. Covers English with the abbreviations of reservation
 * systems, German, French, Spanish, Italian, Portuguese, Dutch, and common words of other languages.
 */
export const KIND_WORDS = `
kind:room | room, rooms, rm, guest room, guestroom, guest rooms, guestrooms, zimmer, gastezimmer, chambre, chambres, habitacion, habitaciones, hab, camera, camere, stanza, quarto, quartos, kamer, kamers, rum, vaerelse, vaerelser, rom, huone, pokoj, pokoje, izba, szoba, oda, odasi, soba, camera dubla, номер, комната, δωματιο, dormitorio privado, alcoba
kind:suite | suite, suites, ste, suit, sui, suita, suiten, suitte, люкс
kind:suite+grade:senior | senior suite, senior suites, suite senior, sr suite
kind:junior_suite | junior suite, junior suites, jr suite, jr ste, jnr suite, junior ste, juniorsuite, suite junior, jsuite, jrsuite, js, sui jr, suite jr, полулюкс
kind:studio | studio, studios, estudio, monolocale, studio apartment, studio flat, apartment studio, studio apt, estudio apartamento, studio room, bachelor, einzimmerapartment, apartamento estudio, kawalerka
kind:apartment | apartment, apartments, apt, apts, appartement, appartements, appartment, apartamento, apartamentos, appartamento, appartamenti, apartament, apartman, ferienwohnung, wohnung, flat, flats, condo, condominium, lagenhet, leilighet, lejlighed, huoneisto, daire, апартаменты, apartement, departamento
kind:villa | villa, villas
kind:bungalow | bungalow, bungalows, bungalo
kind:dorm | dorm, dormitory, dormitorio compartido, shared room, bed in dorm, bed in dormitory, bed in shared room, schlafsaal, dortoir, shared dormitory, dormbed, letto in camerata, camerata, lit en dortoir, lit dans dortoir, bett im schlafsaal, bett im mehrbettzimmer, cama en habitacion compartida, cama em dormitorio, slaapzaal, camarata
kind:chalet | chalet, chalets
kind:cottage | cottage, cottages
kind:cabin | cabin, cabins, cabina, cabana, cabanas, cabane, hutte, log cabin, blockhutte
kind:holiday_home | house, holiday home, vacation home, holiday house, townhouse, town house, ferienhaus, haus, casa, maison, huis, vakantiehuis, casa vacacional, maison de vacances, home
kind:tent | tent, tente, tenda, zelt, glamping tent, safari tent, yurt
kind:loft | loft, lofts
kind:penthouse | penthouse, penthaus, atico, attico
kind:duplex | duplex, maisonette, split level, bi level, bilevel
kind:capsule | capsule, pod, capsule bed
kind:casita | casita, casitas
kind:residence | residence, residences
kind:mobile_home | mobile home, mobil home, mobilehome, caravan, camper
loc:overwater | overwater, over water
loc:overwater+kind:villa | water villa, water villas, overwater villa
loc:overwater+kind:bungalow | water bungalow, water bungalows, overwater bungalow
feature:private_pool+kind:villa | pool villa, pool villas
feature:private_pool+kind:suite | pool suite, pool suites

base:standard | standard, std, stnd, stand, standart, estandar, standaard, standar, standardzimmer, std room, standardni, стандарт, стандартный, normal, regular
base:traditional | traditional, tradition, traditionnelle, tradicional, tradizionale, traditionell
base:classic | classic, classique, clasica, clasico, classica, classico, klassik, klassisch, classik, clas, cls
grade:basic | basic, basica, basico, basique, basis
grade:economy | economy, eco, econ, economic, economica, economico, economique, budget, saver room, tourist, turista, touristic, value room, economyzimmer, эконом
grade:comfort | comfort, komfort, confort, conforto, comfortable, komfortzimmer, комфорт
grade:superior | superior, sup, supr, supp, superieure, superieur, superiore, superieures, superiores, super, superiorzimmer, superiour, улучшенный
grade:deluxe | deluxe, delux, dlx, de luxe, dx, dluxe, dlxe, delx, luxe, deluxezimmer, делюкс
grade:luxury | luxury, luxurious, lux, lujo, luxo, lusso, luxus
grade:premium | premium, prem, prm, premiumzimmer
grade:premier | premier, premiere
grade:executive | executive, exec, exe, ejecutiva, ejecutivo, executiva, executivo, esecutiva, executif, exc
grade:business | business, bus, biz, affaires, businesszimmer
grade:privilege | privilege, privilegio
grade:prestige | prestige, prestigio
grade:presidential | presidential, presidencial, presidentielle, presidenziale, presidentiel, president, presidente, prasidenten, prasidentensuite
grade:royal | royal, royale, real
grade:imperial | imperial, imperiale
grade:grand | grand, grande, gran
grade:family | family, familia, familiar, familiale, familiare, famiglia, familial, familien, familien zimmer, fam, fmly, familie, familiezimmer, rodinny, rodzinny, семейный, familiekamer, familjerum, familierom, familierum
grade:honeymoon | honeymoon, luna de miel, lune de miel, hochzeits, bridal, nuptiale, luna di miele
grade:panoramic | panoramic, panorama, panoramique, panoramica, panoramico
grade:small | small, petit, petite, petite room, cosy, cozy, kleines, klein, pequena, pequeno, piccola, piccolo, kleine, compact, snug, xs
grade:large | large, larger, oversized, extra large, spacious, big, grosses, gross, grosse, xl, spacieuse, amplia, ampio
grade:medium | medium, mittel, mediana, media
grade:any_room | run of house, run of the house, roh, room assigned on arrival, room type assigned on arrival, run of hotel, any room type, room selected at check in, room assigned at check in, unspecified room type, room type assigned at check in
grade:renovated | renovated, newly renovated, refurbished, newly refurbished, fully renovated, recently renovated, renoviert, renove, renovada
grade:day_use | day use, dayuse, day room
grade:attic | attic, mansard, mansarde, mansarda, dachgeschoss, abuhardillada, under the roof, sottotetto
grade:interior | inside, interior, internal, inner, innenliegend, windowless, no window, without window, sans fenetre, sin ventana, senza finestra, fensterlos, ohne fenster, interiorroom, without windows
`

/** Beds, counts and occupancy. */
export const BED_WORDS = `
bed:king | king, kings, kng, kg, king size, kingsize, king sized, super king, superking, super king size, superking size, cal king, california king, kingbed, kingsizebett, k bed, extra large double bed, большая двуспальная
bed:queen | queen, queens, qn, qun, queen size, queensize, queen sized, qsize, queenbed, q bed, queensizebett, large double bed
bed:double | double, doubles, dbl, dbls, doble, dobles, matrimoniali, matrimoniales, doppia, doppio, doppel, doppelzimmer, dz, doppelbett, dubbel, dubbele, duplo, dupla, casal, cama de casal, full size, fullsize, dobbelt, dobbeltvaerelse, dobbeltrom, dubbelrum, grand lit, franzosisches bett, franzosischem bett, franzosisches doppelbett, french bed, lit double, cama doble, cama matrimonial, letto matrimoniale, letto doppio, dvoulzkovy, dvouluzkovy, dwuosobowy, ketagyas, cift kisilik, двухместный, двуспальная, δικλινο, dbl bed, tweepersoons, tweepersoonsbed, to personers, jednym lozkiem malzenskim
bed:marital | matrimoniale, matrimonial, matrimonio
bed:twin | twin, twins, twn, tw, zweibett, zweibettzimmer, lits jumeaux, camas gemelas, letti singoli, doppia letti singoli, letti separati, camas separadas, getrennte betten, getrennten betten, twee aparte bedden, aparte bedden, twin bedded, twinbedded, twin beds, twin bed room, tweebed, to enkeltsenger, tveir, separate beds, с двумя кроватями, dwoma lozkami, hollywood twin
bed:single | single, singles, singoli, individuales, simples, sgl, sng, individual, simple, singola, singolo, einzel, einzelzimmer, einzelbett, ez, einbettzimmer, eenpersoons, eenpersoonskamer, eenpersoonsbed, solteiro, sencilla, enkel, enkelrum, enkeltrom, enkeltvaerelse, individuelle, jednolozkovy, jednoosobowy, tek kisilik, одноместный, cama individual, lit simple, letto singolo, cama de solteiro, μονοκλινο, 1 personne, egyagyas
bed:sofa | sofa bed, sofabed, sofa, sleeper sofa, sofa sleeper, double sofa bed, double sofa, queen sofa bed, queen sleeper sofa, queen sofa, single sofa bed, pull out sofa, pull out bed, pullout, pull out couch, canape lit, canape, sofa cama, schlafsofa, divano letto, slaapbank, futon, sofa beds, sofabeds, sofas, couch, sofa lit, bedsofa, sleeper
bed:bunk | bunk, bunks, bunk bed, bunk beds, bunkbed, bunkbeds, bunk bedded, etagenbett, lits superposes, literas, letto a castello, letti a castello, beliche, beliches, stapelbed
bed:murphy | murphy, murphy bed, wall bed
bedword | bed, bett, lit, letto, cama, bedded, lozko, кровать
bedswords | beds, bds, betten, lits, letti, camas, bedden, sengar, senger, кровати
extra:extra_bed | extra bed, with extra bed, extra beds, rollaway, roll away, rollaway bed, rollaway beds, zustellbett, lit supplementaire, cama supletoria, cama extra, letto aggiunto, extra bett, additional bed, lit d appoint
bed2:single | 2 lits, 2 lits simples, 2 camas, 2 letti, 2 betten, 2 einzelbetten, 2 letti singoli, 2 camas individuales, 2 camas de solteiro, zwei betten, zwei einzelbetten, dos camas individuales, deux lits, deux lits simples, dos camas, due letti, due letti singoli, duas camas, duas camas de solteiro
bed2:double | double double, dbl dbl, dd, two doubles, 2 doubles, 2db, 2dbl, d2, 2 dbls, 2d, deux lits doubles
bed2:queen | queen queen, qq, double queen, double queens, qn qn, 2qn, 2q, q2, two queens, 2 queens, dbl queen, dbl qn, dq, 2 qns, double queen beds, double queen bed
bed2:king | king king, 2k, double kings, two kings
bed1:king | double king, double king size, double king bed, double king size bed, double bed king size, dbl king, dbl king size, one king size bed, 1 king size bed, k1, 1k, 1kg, 1kng, 1king
bed1:queen | double queen size, double queen size bed, double bed queen size, dbl queen size, one queen size bed, 1 queen size bed, q1, 1q, 1qn, 1qun
bed1:double | 1dbl, d1, 1db
occ:single_use | single use, sgl use, single occupancy, dus, dbl sgl use, double for single use, double for sole use, double single use, for single use, for sole use, zur einzelnutzung, einzelnutzung, zur alleinbenutzung, alleinbenutzung, uso individual, uso individuale, uso singola, uso singolo, usage individuel, usage simple, double usage simple, sole use, sole occupancy, individual use, zur alleinnutzung, alleinnutzung, doble uso individual, doppia uso singola, doppelzimmer zur einzelnutzung, doppelzimmer zur alleinbenutzung, uso sencillo, for one person, for 1 person, eenpersoonsgebruik, solo use, per una persona
occ:triple | triple, tpl, trpl, trp, tripla, triplo, dreibett, dreibettzimmer, dreier, driepersoons, driepersoonskamer, trojlozkovy, trzyosobowy, trehsengs, uc kisilik, трехместный, haromagyas, τρικλινο, dreibett zimmer, for 3 persons, for three persons, for 3 people, for three
occ:quad | quadruple, quad, qdpl, qpl, quads, cuadruple, quadrupla, quadruplo, vierbett, vierbettzimmer, vierpersoons, vierpersoonskamer, четырехместный, czteroosobowy, for 4, for four, for 4 persons, for four persons, for 4 people, for four, qua, dort kisilik, four bed, four bedded
occ:quintuple | quintuple, fivefold, for 5 persons, for five persons, quintupla
occ:six | sextuple, for 6 persons, for six persons, sestupla
children:1 | 1 child, one child, plus child, 1 kind, 1 enfant, 1 nino, 1 bambino
children:2 | 2 children, two children, 2 kinder, 2 enfants, deux enfants, 2 ninos, 2 bambini
children:3 | 3 children, three children
num:1 | one, 1, ein, eine, eins, un, une, una, uno, um, uma, een
num:2 | two, 2, zwei, deux, dos, due, dois, duas, twee, iki
num:3 | three, 3, drei, trois, tres, tre, drie, uc
num:4 | four, 4, vier, quatre, cuatro, quattro, quatro
num:5 | five, 5, funf, cinq, cinco, cinque, vijf
num:6 | six, 6, sechs, seis, sei, zes
num:7 | seven, 7
num:8 | eight, 8, acht, huit, ocho, otto, oito
num:10 | ten, 10
num:12 | twelve, 12
bedroom | bedroom, bedrooms, bdrm, bdrms, bedrm, br, brs, bdr, bed room, bed rooms, schlafzimmer, chambres a coucher, dormitorio, dormitorios, quartos de dormir, slaapkamer, slaapkamers, camere da letto, camera da letto
br:1 | 1br, 1bdrm, 1bd, 1bedroom
br:2 | 2br, 2bdrm, 2bd, 2bedroom
br:3 | 3br, 3bdrm, 3bd, 3bedroom
or | or, oder, ou, o
and | and, und, et, y, e, en, ed, with, w, mit, avec, con, com, met, med, z
without | without, no, ohne, sans, sin, senza, sem, zonder, uden, utan, без
`
