/** Views, features, position in the building and accessibility, in the same format as `KIND_WORDS`. */
export const FEATURE_WORDS = `
view | view, views, vw, vws, vue, vues, vista, vistas, blick, aussicht, ausblick, sicht, zicht, uitzicht, facing, overlooking, utsikt, udsigt, nakyma, widok, vyhled, kilatas, manzara, manzarali, manzaralı, вид, видом, θεα, panoramablick, outlook, viewed
viewof | view of, views of, view over, views over, with view of, view to, views to, vue sur, vues sur, vista a, vista al, vista sul, vista sulla, vistas a, vistas al, vista su, vista para, blick auf, mit blick auf, vista sobre, uitzicht op, met uitzicht op, view on, vista ao, vista do, vista da, vista de, vista del, vista dei
place:sea | sea, ocean, oceano, mar, mer, mare, meer, zee, see side, atlantic, pacific, mediterranean, gulf, hav, havs, deniz, adriatic, caribbean, море, θαλασσα, okyanus
place:beach | beach, playa, plage, spiaggia, strand, praia
place:lake | lake, lago, lac, see, meren, gol, lake side, seeseite, jezioro
place:river | river, rio, riviere, fiume, fluss, rivier, fleuve, seine, thames, danube, donau, rhine, nile, riverside, hudson, chao phraya
place:city | city, cty, town, urban, downtown, ville, ciudad, citta, stadt, stad, cidade, cityscape, город, sehir, miasto, urbana
place:garden | garden, gardens, jardin, giardino, garten, tuin, jardim, bahce, tropical garden
place:pool | pool, swimming pool, piscina, piscine, zwembad, havuz, poolside view
place:mountain | mountain, mountains, montana, montanas, montagne, montagna, monte, berg, berge, bergen, mtn, mount, alps, alpine, alpen, hill, hills, montanha, dag, hegyi, gory, горы
place:courtyard | courtyard, patio interior, inner courtyard, interior courtyard, cour, cour interieure, cortile, innenhof, hof, binnenplaats, atrium, interior patio, inner court, hofseite, interior view
place:park | park, parc, parque, parco, central park
place:street | street, rue, calle, strada, strasse, road, straat, boulevard, avenue, rua
place:canal | canal, canale, gracht, kanal
place:harbour | harbour, harbor, marina, port, puerto, porto, hafen, haven
place:bay | bay, bahia, baie, baia, bucht
place:valley | valley, valle, vallee, tal, vale
place:forest | forest, bosque, foret, bosco, wald, woods, woodland, bos
place:village | village, pueblo, dorf, villaggio, dorp
place:countryside | countryside, country side, campagne, campagna, campo, landscape, rural, nature, hinterland
place:golf | golf, golf course, fairway
place:skyline | skyline, rooftop, rooftops, roof top
place:square | square, plaza, piazza, platz, praca
place:bridge | bridge, pont, puente, ponte
place:castle | castle, chateau, castillo, castello, schloss, palace
place:cathedral | cathedral, catedral, cathedrale, duomo, dom, church, basilica
place:lagoon | lagoon, laguna, lagune, lagoa
place:island | island, isla, ile, isola
place:vineyard | vineyard, vineyards, vinedo, vignoble
place:water | water, waterside
place:volcano | volcano, vulcano, caldera
place:desert | desert
place:airport | airport, runway
place:promenade | promenade, boardwalk
place:fjord | fjord
place:landmark | landmark, monument, monuments
mod:partial | partial, partially, part, limited, side, lateral, laterale, seitlich, seitlicher, seitlichem, parcial, parziale, partielle, obstructed, semi
full | full
mod:full | direct, frontal, front, directe, direkter, total, frontale
dir:waterfront | waterfront, water front, primera linea
dir:sea_front | oceanfront, ocean front, seafront, sea front, frente al mar, front de mer, frente mar
dir:beach_front | beachfront, beach front
dir:lake_front | lakefront, lake front
dir:river_front | riverfront, river front
dir:poolside | poolside, pool side
dir:beachside | beachside, beach side
dir:lakeside | lakeside
dir:seaside | oceanside, seaside
dir:pool_access | swim up, swimup, direct pool access, pool access, swim out, swimout
dir:beach_access | beach access, direct beach access
dir:lagoon_access | lagoon access
dir:garden_access | garden access
abbrview:sea | sv, ov, seaview, oceanview, meerblick, zeezicht, seaviews, havsutsikt, havutsikt, seafacing, meersicht, merisea
abbrview:garden | gv, gdn view, gardenview, gartenblick, gartensicht, tuinzicht
abbrview:pool | pv, poolview, poolblick
abbrview:mountain | mv, mtn view, bergblick, mountainview, bergsicht
abbrview:city | cv, cityview, stadtblick
abbrview:lake | lv, lakeview, seeblick, seesicht
abbrview:bay | bv, bayview
abbrview:park | parkview, parkblick
abbrview:river | rv, riverview, flussblick
abbrview:partial_sea | psv, pov

out:balcony | balcony, balconies, balcon, balkon, balcone, balconcino, varanda, blc, bal, balc, private balcony, furnished balcony, parveke, балкон, balcony room, balkonzimmer
out:french_balcony | french balcony, juliet balcony, franzosischer balkon, balcon francais, balcone alla francese
out:terrace | terrace, terraza, terrasse, terrazza, terraco, terras, private terrace, roof terrace, rooftop terrace, dachterrasse, furnished terrace, sun terrace, azotea, deck, solarium
out:patio | patio, private patio, lanai, loggia, veranda, verandah, porch
out:private_garden | private garden, own garden, jardin privado, jardin prive, giardino privato
feature:private_pool | private pool, own pool, private plunge pool, plunge pool, piscina privada, piscine privee, privatpool, private swimming pool, piscina privata, eigener pool, individual pool, mit privatem pool
feature:shared_pool | shared pool, semi private pool
feature:kitchen | kitchen, kitchenette, full kitchen, kitchenet, cocina, cuisine, kuche, kochnische, cucina, angolo cottura, keuken, cozinha, kuchenzeile, equipped kitchen, cocina americana, coin cuisine, fully equipped kitchen, partial kitchen, small kitchen, with kitchen
feature:hot_tub | hot tub, hottub, jacuzzi, jetted tub, whirlpool, spa bath, spa tub, whirlpool tub, spa bathtub, jacuzzi tub, hydromassage, idromassaggio, hidromasaje, whirlwanne, private jacuzzi, jetted bathtub, outdoor hot tub, onsen, private onsen
feature:sauna | sauna, private sauna, private spa, steam room
feature:fireplace | fireplace, chimenea, cheminee, kamin, camino
feature:shared_bathroom | shared bathroom, shared bath, shared facilities, bano compartido, salle de bains commune, salle de bain partagee, bagno in comune, bagno condiviso, gemeinschaftsbad, gedeelde badkamer, shared toilet, communal bathroom, without bathroom, without private bathroom, no private bathroom, ohne bad, ohne eigenes bad, sans salle de bain, sans salle de bains, sin bano, senza bagno, zonder badkamer, etagenbad, sdb partagee, share bathroom
feature:external_bathroom | private external bathroom, external bathroom, external private bathroom, detached bathroom, bagno esterno, private bathroom outside, bathroom outside, outside bathroom
noise | with air conditioning, air conditioning, air conditioned, ac, aircon, climatisee, aire acondicionado, aria condizionata, klimaanlage
feature:no_air_conditioning | non ac, non ac room, non a c, without air conditioning, no air conditioning, ohne klimaanlage, sans climatisation, sin aire acondicionado, senza aria condizionata, fan, with fan, fan room
club | club, club level, club floor, club access, club room, club lounge, club lounge access, lounge access, executive lounge access, executive lounge, with lounge access, access to executive lounge, access to club lounge, access to the executive lounge, access to lounge, concierge level, concierge floor, club privileges, lounge, acceso al club, acceso al lounge, acces au club, acces au lounge, accesso al club, clubzugang, executive lounge benefits, club benefits, with club access, executive club lounge, club lounge access for 2 guests, club lounge access for 2, lounge access for 2 guests, lounge access for 2, executive floor lounge access, concierge lounge, club rm, clubzimmer, access to club
access:any | accessible, accessibility, ada, ada compliant, disability access, disabled, disabled access, handicap, handicapped, handicapped accessible, accessible room, acc, disability, hc, special needs, ada accessible, handicap accessible, universal access, accesible, acessivel, accessibile
access:mobility | mobility accessible, wheelchair, wheelchair accessible, mobility, wheelchair access, barrierefrei, barrierefreies, barrierefreie, behindertengerecht, behindertengerechtes, rollstuhlgerecht, rollstuhlgerechtes, pmr, adaptada, adaptado, disabili, movilidad reducida, mobilite reduite, accessible mobility, mobility access, barrier free, wheelchair friendly, per disabili
access:rollin | roll in shower, rollin shower, roll in showers, roll in, wheel in shower, with roll in shower, ris
access:tub | accessible tub, accessible bathtub, ada tub, mobility tub, accessible bath tub
bathtub | bath tub, bathtub, tub, with bathtub, soaking tub, deep soaking tub, deep soaking bathtub, badewanne, banera, baignoire, vasca
access:hearing | hearing, hearing accessible, hearing impaired, hearing accessible room, communications accessible, deaf, hearing access, communication accessible, hearing communications accessible
access:visual | visual, visually impaired, vision accessible
smoke:no | non smoking, nonsmoking, no smoking, ns, nsmk, non smk, non smoker, smoke free, nichtraucher, nichtraucherzimmer, non fumeur, non fumeurs, no fumadores, non fumatori, nao fumadores, rookvrij, nosmk, nsk, niet roken, para no fumadores, nosmoking, не курящих, smokefree
smoke:yes | smoking, smk, smoking allowed, smoker, raucher, raucherzimmer, fumeur, fumeurs, fumadores, fumatori, roken, smoking permitted, smkg
loc:corner | corner, cnr, esquina, angle, eck, eckzimmer, d angle, ad angolo, angolo, canto, hoek, hoekkamer, crn
loc:high_floor | high floor, high floors, higher floor, higher floors, upper floor, upper floors, highfloor, hi floor, hf, piso alto, etage eleve, etage superieur, hohere etage, obere etage, piano alto, top floor, top floors, high level, hochparterre, elevated floor
loc:mid_floor | mid floor, middle floor, mid level floor, medium floor, mid floors, middle floors
loc:low_floor | low floor, lower floor, lower floors, lower level, low floors, piso bajo
loc:ground_floor | ground floor, ground level, first floor, rez de chaussee, planta baja, erdgeschoss, piano terra, begane grond, rdc, street level, garden level
loc:basement | basement, lower ground floor, souterrain, untergeschoss, semi basement
loc:executive_floor | executive floor, executive level, business floor, premium floor
loc:annex | annex, annexe, annexe building, dependance, dependencia, anexo, nebengebaude, nebenhaus, dependence, bijgebouw, outbuilding, annex building
loc:main_building | main building, haupthaus, edificio principal, batiment principal, hauptgebaude, main house, main wing, edificio principale
loc:connecting | connecting, interconnecting, connected, adjoining, connecting rooms, adjacent, communicating, comunicadas, comunicanti, communicantes, interconnected, interconnecting rooms, communicante, verbundene, connecting room, verbindungstur
loc:tower | tower, torre, tour, turm, toren
loc:wing | wing, ala, aile, flugel, vleugel
loc:floor | floor, floors, level, etage, planta, piso, piano, stock, stockwerk, fl, verdieping, storey
loc:quiet | quiet, ruhig, ruhiges, calme, tranquila
loc:end_unit | end unit
female | female, women, women only, female only, ladies, lady, damen, femmes, mujeres, donne
male | male, men, men only, male only, herren, hommes, hombres
mixed | mixed, mixte, mixto, misto, gemischt
`
