import { styleWords } from './style-words.ts'

export const SLAV = styleWords({
  cores: `Pod Zlatým Lvem|Slavia|Lipa|Stari Grad|Jadran|Zora|Krone|Panorama|Tatra|Orion|Villa Anna|Amber|Pri Lipi|Korona|Stara Pošta|Polonia|Sokol|Jantar|Royal|Kamenný Most|Biały Orzeł|Pałac|Rezydencja|Adria|Bohemia|Vltava|Danubia|Mlýn|U Fontány|Zvon|Morava|Split Vista|Marina|Kaštel|Narodni|Perun|Bellevue|Europa|Zlatý Jelen|Sunce|Na Rynku|Pod Lipami|Rubin|Tara|Beskid|Wawel`,
  hotel: 'Hotel {c}|Hotel {c} {p}|Grand Hotel {c}|Hotel {c} Palace',
  guesthouse: 'Penzion {c}|Villa {c}|Guesthouse {c}|Pension {c}',
  apartment: 'Apartments {c}|Aparthotel {c}|Residence {c}|Suites {c} {p}',
  hostel: 'Hostel {c}|Hostel {c} {p}|Backpackers {c}|Youth Hostel {c}',
  resort: 'Resort {c}|Spa Hotel {c}|Wellness Resort {c}|Hotel Park {c}',
  quarters: 'Old Town|Centre|Railway Station|Castle|Riverside|New Town|Market Square|Park|Riva|Harbour',
  streets: `Ulica Kralja Petra|Náměstí Míru|Ulica Nova|Rynek Główny|Hlavní|Obala|Trg Slobode|Nádražní|Ulica Lipowa|Ulica Mickiewicza|Masarykova|Gundulićeva|Zámecká|Ulica Kościuszki|Dunajská|Vodičkova|Ulica Ogrodowa|Školní|Gajeva|Slovenska cesta`,
  line: '{s} {n}|{s} {n}/{n}|{s} {n}',
  postal: '## ###',
})

export const RU = styleWords({
  cores: `Rossiya|Zarya|Central|Severnaya|Berezka|Sputnik|Volga|Aurora|Rodina|Nevsky Dvor|Metelitsa|Zolotoye Koltso|Vostok|Usadba|Almaz|Druzhba|Baikal|Kupets|Yubileynaya|Malakhit|Raduga|Severnoe Siyanie|Tsarskiy|Sibir|Moryak|Gorod|Onegin|Lotus|Samotsvet|Dvoryanskaya|Mayak|Parus|Turist|Slavyanka|Troitskaya|Ural|Yantar|Kavkaz|Silk Road|Meridian Tash`,
  hotel: 'Hotel {c}|{c} Hotel|Gostinitsa {c}|Park Hotel {c}|{c} Hotel {p}',
  guesthouse: 'Guest House {c}|Gostevoy Dom {c}|Mini-Hotel {c}|Usadba {c}',
  apartment: 'Apartments {c}|Apart-Hotel {c}|Residence {c}|{c} Studios',
  hostel: 'Hostel {c}|Hostel {c} {p}|{c} Backpackers|Hostel na {c}',
  resort: 'Sanatorium {c}|Spa Hotel {c}|Resort {c}|Eco-Hotel {c}',
  quarters: 'Centre|Old Town|Vokzal|Naberezhnaya|Kremlin|Arbat|University|Park|Port|Bazaar',
  streets: `Ulitsa Lenina|Prospekt Mira|Ulitsa Pushkina|Sovetskaya Ulitsa|Naberezhnaya Ulitsa|Ulitsa Gagarina|Nevskiy Pereulok|Ulitsa Gorkogo|Vokzalnaya Ulitsa|Ulitsa Chekhova|Sadovaya Ulitsa|Prospekt Pobedy|Ulitsa Kirova|Tsentralnaya Ploshchad|Ulitsa Tolstogo|Lesnaya Ulitsa|Rustaveli Avenue|Moskovskaya Ulitsa|Bolshaya Ulitsa|Shkolnaya Ulitsa`,
  line: '{s}, {n}|{s}, {n}|{s} {n}',
  postal: '######',
})

export const BALTIC = styleWords({
  cores: `Amber|Vana Linn|Gaja|Dzintars|Neringa|Meri|Zvaigzne|Senamiestis|Baltic Pearl|Juras|Kuldne Lõvi|Vecais Tilts|Pilies|Rannahotell|Gintaras|Bastion|Saule|Toome|Daugava|Vilnele|Kadriorg Park|Livonia|Trys Seserys|Vētra|Pirita Rand|Ąžuolas|Hansa|Kopa|Luik|Sala|Rožė|Vīgante|Kalev|Palanga Pušis|Raekoda|Liepa|Mėnulis|Gaisma|Sepa|Ratuša`,
  hotel: 'Hotel {c}|{c} Hotel|Hotel {c} {p}|{c} Boutique Hotel',
  guesthouse: 'Guest House {c}|Villa {c}|{c} Guesthouse|Pension {c}',
  apartment: '{c} Apartments|{c} Residence|{c} Suites {p}|Apartments {c}',
  hostel: '{c} Hostel|Hostel {c}|{c} Backpackers|{c} Hostel {p}',
  resort: '{c} Spa Hotel|{c} Resort|{c} Manor|{c} Spa & Wellness',
  quarters: 'Old Town|Centre|Harbour|Station|Park|Castle Hill|Riverside|Beach|Market|New Town',
  streets: `Pikk|Brīvības iela|Gedimino prospektas|Raekoja plats|Elizabetes iela|Pilies gatvė|Viru|Kaļķu iela|Vokiečių gatvė|Rannatee|Jūras iela|Basanavičiaus gatvė|Lai|Tērbatas iela|Didžioji gatvė|Narva maantee|Skolas iela|Laisvės alėja|Sadama|Mazā Nometņu iela`,
  line: '{s} {n}|{s} {n}',
  postal: '#####',
})

export const HU = styleWords({
  cores: `Aranyhíd|Duna|Korona|Tisza|Gellért Kert|Kék Duna|Platán|Nádor|Rózsa|Bástya|Palatinus Park|Szarvas|Liget|Fehér Ló|Mátyás|Várkert|Hunor|Malom|Napfény|Kastély|Erzsébet|Gesztenyés|Opera|Béke|Balaton|Fenyves|Arany Sas|Sétány|Kapitány|Pannon|Zafír|Vadász|Diófa|Levendula|Körút|Tó|Csillag|Gyöngy|Márton|Hársfa`,
  hotel: 'Hotel {c}|{c} Hotel|Hotel {c} {p}|{c} Szálló',
  guesthouse: '{c} Panzió|{c} Vendégház|{c} Fogadó|Villa {c}',
  apartment: '{c} Apartmanok|{c} Residence|{c} Suites {p}|Apartments {c}',
  hostel: '{c} Hostel|Hostel {c} {p}|{c} Diákszálló|{c} Backpackers',
  resort: '{c} Wellness Hotel|{c} Thermal & Spa|{c} Resort|{c} Kastélyszálló',
  quarters: 'Belváros|Vár|Pályaudvar|Dunapart|Liget|Óváros|Fő tér|Egyetem|Fürdő|Piac',
  streets: `Kossuth Lajos utca|Fő utca|Petőfi Sándor utca|Széchenyi tér|Rákóczi út|Andrássy út|Bartók Béla út|Ady Endre utca|Deák tér|Arany János utca|Vár utca|Dózsa György út|Bem rakpart|Béke tér|Malom utca|Szent István körút|Templom utca|Jókai utca|Tóparti sétány|Hunyadi utca`,
  line: '{s} {n}.|{s} {n}|{s} {n}.',
  postal: '####',
})

export const RO = styleWords({
  cores: `Bucegi|Coroana|Carpați|La Conac|Dacia|Stejarul|Transilvania|Casa Veche|Traian|Zimbrul|Parc|Decebal|Trandafirul|Brâncoveanu|Cerbul|Moldova|Cetate|Unirea|Vila Maria|Ambient|Pelican|Astoria Nova|Bradul|Delta|Florilor|Hanul Domnesc|Izvorul|La Moară|Muntenia|Olimp|Poiana|Regal|Siret|Turnul|Vulturul|Zenit|Cupola|Belvedere|Ancora|Lunca`,
  hotel: 'Hotel {c}|Hotel {c} {p}|Grand Hotel {c}|Hotel Restaurant {c}',
  guesthouse: 'Pensiunea {c}|Casa {c}|Vila {c}|Hanul {c}',
  apartment: 'Apartamente {c}|Aparthotel {c}|Residence {c}|Suites {c} {p}',
  hostel: 'Hostel {c}|Hostel {c} {p}|Backpackers {c}|Cabana {c}',
  resort: 'Resort {c}|Complex {c}|Hotel & Spa {c}|Complex Balnear {c}',
  quarters: 'Centrul Vechi|Centru|Gara|Cetate|Parc|Piața Mare|Faleză|Universitate|Port|Dealul',
  streets: `Strada Mihai Eminescu|Bulevardul Unirii|Strada Republicii|Piața Sfatului|Strada Libertății|Calea Victoriei|Strada Avram Iancu|Bulevardul Carol I|Strada Lungă|Strada Horea|Strada Ștefan cel Mare|Aleea Parcului|Strada Gării|Piața Unirii|Strada Teilor|Strada Cuza Vodă|Bulevardul Mamaia|Strada Morii|Strada Bisericii|Strada Florilor`,
  line: '{s} nr. {n}|{s} {n}|{s} Nr. {n}',
  postal: '######',
})

export const NORDIC = styleWords({
  cores: `Fjordgaarden|Nordlys|Havblikk|Gamla Stan|Birka|Strand|Viking|Kungsträdgården|Skagen|Aurora|Solhem|Bryggen|Granen|Lilla Torget|Tivoli Have|Midnattssol|Björken|Skärgården|Kongens|Sølyst|Havn|Polar|Fyrtårnet|Isbjørn|Linden|Stortorget|Mälaren|Utsikten|Kirkebakken|Nyhavn Hus|Ravn|Tårn|Elva|Fjell|Kallio|Saimaa|Sjøbua|Vinden|Ørnen|Lofoten|Perlan|Hekla`,
  hotel: 'Hotel {c}|Hotell {c}|{c} Hotel|{c} Hotel {p}|Grand Hotel {c}',
  guesthouse: '{c} Gjestehus|Pensionat {c}|{c} Guesthouse|{c} Vandrarhem & Rum',
  apartment: '{c} Apartments|{c} Lejligheder|{c} Suites|{c} Residence {p}',
  hostel: '{c} Hostel|{c} Vandrerhjem|Hostel {c} {p}|{c} Backpackers',
  resort: '{c} Spa & Resort|{c} Herrgård|{c} Fjellstue|{c} Kursted',
  quarters: 'Sentrum|Gamla Stan|Brygga|Station|Havn|Torget|Söder|Marina|Parken|Vesterbro',
  streets: `Storgata|Kungsgatan|Strandvejen|Kirkegata|Drottninggatan|Vesterbrogade|Havnegata|Stationsgatan|Laugavegur|Torggata|Sjögatan|Nørregade|Bryggegata|Skolegata|Parkvägen|Mannerheimintie|Rantakatu|Fjellveien|Kongens gate|Hafnarstræti`,
  line: '{s} {n}|{s} {n}|{s} {n}B',
  postal: '#####',
})
