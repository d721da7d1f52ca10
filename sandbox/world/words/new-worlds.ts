import { styleWords } from './style-words.ts'

export const US = styleWords({
  cores: `Cedar Ridge|Lakeview|Maple Leaf|Riverbend|Pioneer|Summit|Blue Heron|Magnolia|Copper Canyon|Stonebridge|Harvest Moon|Liberty|Redwood|Sunset|Whispering Pines|Old Mill|Golden Gate View|Bayside|Cottonwood|Evergreen|Franklin|Gateway|Hickory|Ironwood|Jefferson|Knollwood|Lone Star|Mission|Northshore|Oakmont|Prairie|Quail Hollow|Rockport|Silver Spur|Timberline|Union|Valley Forge View|Willow Creek|Yellow Birch|Ashland|Bluebonnet|Chestnut Hill|Driftwood|Eagle Rock|Foxglove|Granite`,
  hotel: '{c} Hotel|{c} Inn|{c} Inn & Suites|The {c} Hotel|Hotel {c}|{c} Hotel {p}',
  guesthouse: '{c} Bed & Breakfast|{c} House|{c} Lodge|{c} Country Inn',
  apartment: '{c} Extended Stay|{c} Suites|{c} Lofts|{c} Residences {p}',
  hostel: '{c} Hostel|{c} Hostel {p}|{c} Bunkhouse|{c} Travelers House',
  resort: '{c} Resort|{c} Resort & Spa|{c} Lodge & Spa|{c} Golf Resort',
  quarters:
    'Downtown|Airport|Midtown|Waterfront|Old Town|University|Convention Center|Historic District|North|Medical Center',
  streets: `Main Street|Oak Avenue|Broadway|Washington Street|Park Avenue|Elm Street|Highway 101|Lake Shore Drive|Market Street|Sunset Boulevard|Lincoln Avenue|2nd Street|Canyon Road|Ocean Drive|Airport Boulevard|Maple Street|State Street|Commerce Drive|Peachtree Lane|River Road`,
  line: '{N} {s}|{N} {s}|{n} {s}',
  postal: '#####',
})

export const LATIN = styleWords({
  cores: `Hacienda Real|Casa Colonial|El Quetzal|Los Volcanes|Plaza de Armas|Inti|La Cascada|Bahía Serena|Las Orquídeas|El Conquistador|Mirador del Valle|San Cristóbal|Los Andes|Casona Vieja|El Tucán|Posta del Sol|La Candelaria|Palmas del Mar|Tierra Viva|El Marqués|Santo Domingo|Río Claro|Las Bugambilias|El Colibrí|Cumbres|La Merced|Cielo Azul|Los Girasoles|Ayllu|El Arrayán|Villa Hermosa|Sol de Oro|La Cúpula|Jacarandá|El Virrey|Costa Brava|Las Cabañas|Qori|Portal del Ángel|El Ceibo|Maya Luna|La Estancia`,
  hotel: 'Hotel {c}|Hotel {c} {p}|Gran Hotel {c}|Hotel Boutique {c}|Hotel & Suites {c}',
  guesthouse: 'Hostal {c}|Posada {c}|Casa {c}|Hospedaje {c}',
  apartment: 'Apartamentos {c}|Suites {c}|Apart Hotel {c}|Departamentos {c} {p}',
  hostel: 'Hostel {c}|Backpackers {c}|Hostel {c} {p}|Albergue {c}',
  resort: 'Resort {c}|Hacienda {c}|Lodge {c}|Resort & Spa {c}',
  quarters:
    'Centro Histórico|Zona Rosa|Plaza de Armas|Malecón|Terminal|Zona Hotelera|San Blas|Parque Central|Aeropuerto|La Marina',
  streets: `Calle Bolívar|Avenida Juárez|Calle San Martín|Avenida Libertador|Calle 5 de Mayo|Plaza de Armas|Avenida del Sol|Calle Hidalgo|Malecón Central|Calle Sucre|Avenida Independencia|Calle del Comercio|Jirón de la Unión|Carrera 7|Calle 10|Avenida Costanera|Calle Morelos|Avenida Belgrano|Pasaje Santa Rosa|Calle Colón`,
  line: '{s} {n}|{s} No. {n}|{s} #{n}-{n}',
  postal: '#####',
})

export const BR = styleWords({
  cores: `Ipê Amarelo|Mar Azul|Bela Vista|Praia Grande|das Palmeiras|Sol Nascente|Vitória Régia|Ouro Verde|Recanto do Mar|Copaíba|São Francisco|Pedra Bonita|Ilha Verde|Jangada|Tropical|Cachoeira|Vila Rica|Serra Azul|Coqueiral|Porto Belo|Atlântico Sul|Boa Viagem|Canto da Mata|Dunas|Estrela do Sul|Flor de Lótus|Girassol|Iracema|Jacarandá|Lagoa Dourada|Maré Alta|Nascente|Orquídea|Pantanal|Quatro Ilhas|Rio Claro|Sabiá|Tamandaré|Ubá|Veleiros`,
  hotel: 'Hotel {c}|Hotel {c} {p}|Grande Hotel {c}|Plaza {c} Hotel',
  guesthouse: 'Pousada {c}|Pousada {c} {p}|Casa {c}|Hospedaria {c}',
  apartment: 'Flat {c}|Apart Hotel {c}|Residence {c}|Suítes {c} {p}',
  hostel: 'Hostel {c}|Albergue {c}|Hostel {c} {p}|Backpackers {c}',
  resort: 'Resort {c}|{c} Eco Resort|{c} Praia Resort|Fazenda {c}',
  quarters: 'Centro|Orla|Beira-Mar|Rodoviária|Jardins|Centro Histórico|Praia|Aeroporto|Lagoa|Bela Vista',
  streets: `Avenida Atlântica|Rua das Flores|Avenida Paulista|Rua XV de Novembro|Avenida Beira-Mar|Rua da Praia|Avenida Getúlio Vargas|Rua Sete de Setembro|Rua Tiradentes|Avenida Brasil|Rua do Comércio|Praça da Matriz|Rua Dom Pedro II|Avenida Rio Branco|Rua Santos Dumont|Alameda das Palmeiras|Rua São José|Avenida Ipiranga|Rua Marechal Deodoro|Rua das Acácias`,
  line: '{s}, {n}|{s}, {N}|{s}, {N}',
  postal: '#####-###',
})

export const AU = styleWords({
  cores: `Banksia|Kookaburra|Harbourside|Wattle|Southern Cross|Jacaranda|Esplanade|Koru|Pacific Palms|Bottlebrush|Silver Fern|Coral Cove|Eucalypt|Federation|Great Dividing|Headland|Ironbark|Kowhai|Lorikeet|Macquarie|Norfolk Pine|Outback|Pohutukawa|Quay West End|Riverina|Sandstone|Tui|Victoria|Waratah|Albert Park|Boronia|Commercial|Dolphin|Emu Plains|Frangipani|Gumtree|Hibiscus|Lighthouse|Mangrove|Pelican|Seabreeze|Surfside`,
  hotel: '{c} Hotel|{c} Motel|The {c}|{c} Hotel {p}|{c} Motor Inn',
  guesthouse: '{c} Bed & Breakfast|{c} Lodge|{c} Cottage|{c} Guesthouse',
  apartment: '{c} Apartments|{c} Serviced Apartments|{c} Suites|{c} Apartments {p}',
  hostel: '{c} Backpackers|{c} Hostel|{c} Backpackers {p}|{c} Travellers Lodge',
  resort: '{c} Resort|{c} Beach Resort|{c} Retreat & Spa|{c} Island Resort',
  quarters: 'CBD|Harbour|Beachfront|Airport|Docklands|Station|Esplanade|Northside|Marina|Southbank',
  streets: `George Street|Beach Road|The Esplanade|Victoria Street|Queen Street|Marine Parade|Collins Street|High Street|Pacific Highway|Station Street|Bay Road|King William Street|Shortland Street|Hastings Street|Bourke Street|Lakeside Drive|Tui Road|Church Street|Ocean Avenue|Cook Street`,
  line: '{n} {s}|{n}-{n} {s}|{n}/{n} {s}',
  postal: '####',
})

export const AF = styleWords({
  cores: `Baobab|Acacia|Marula|Savanna|Protea Garden|Jacaranda|Kilima View|Simba|Umoja|Zebra Plains|Amani|Jambo|Kwetu|Serengeti Sky|Table Bay View|Tamarind|Twiga|Uhuru|Victoria View|Weaver Nest|Blue Nile|Coral|Delta|Ebony|Flamingo|Great Rift|Hibiscus|Impala|Karibu|Lake View|Mango Tree|Nyota|Okavango Moon|Palm Grove|Quiver Tree|Rondavel|Sunbird|Thorn Tree|Unity|Wildfig|Yellowwood|Zambezi`,
  hotel: '{c} Hotel|{c} Hotel {p}|Hotel {c}|{c} Grand Hotel|{c} Plaza Hotel',
  guesthouse: '{c} Guest House|{c} Lodge|{c} B&B|{c} Guest Lodge',
  apartment: '{c} Apartments|{c} Suites|{c} Self Catering|{c} Executive Apartments',
  hostel: '{c} Backpackers|{c} Hostel|{c} Backpackers Lodge|{c} Hostel {p}',
  resort: '{c} Safari Lodge|{c} Beach Resort|{c} Game Lodge|{c} Resort & Spa',
  quarters: 'City Centre|Waterfront|Old Town|Airport|Market|Lakeside|Hillside|Garden District|Beach|Industrial Area',
  streets: `Independence Avenue|Nelson Mandela Road|Kenyatta Avenue|Church Street|Beach Road|Long Street|Airport Road|Main Road|Uhuru Highway|Lake Road|Station Road|Ring Road|Market Street|Nkrumah Road|Samora Avenue|Kingsway|Harbour Road|Julius Nyerere Road|Hill Street|Acacia Avenue`,
  line: '{n} {s}|Plot {n}, {s}|{n} {s}',
  postal: '#####',
})

export const CARIB = styleWords({
  cores: `Coral Reef|Hibiscus|Sea Grape|Palm Court|Blue Lagoon|Calypso|Frigate Bay View|Nutmeg|Sugar Mill|Tradewinds|Turtle Cove|Poinciana|Bougainvillea|Conch Shell|Driftwood|Emerald Cay|Flamboyant|Ginger Lily|Half Moon View|Island Breeze|Jasmine|Lighthouse|Mango Walk|North Star|Ocean Pearl|Pelican|Queen's Bay|Rum Point View|Sandpiper|Tamarind|Windward|Almond Tree|Cinnamon|Coconut Row|Dolphin|Heron|Orchid|Pirate's Well|Sunset|Starfish`,
  hotel: '{c} Hotel|The {c}|{c} Hotel {p}|{c} Inn|{c} Beach Hotel',
  guesthouse: '{c} Guest House|{c} Cottage|{c} Inn|{c} Villa',
  apartment: '{c} Suites|{c} Apartments|{c} Studios|{c} Condos',
  hostel: '{c} Hostel|{c} Backpackers|{c} Hostel {p}|{c} Surf House',
  resort: '{c} Beach Resort|{c} Resort & Spa|{c} Cay Resort|{c} Bay Club',
  quarters: 'Beach|Harbour|Town Centre|Marina|Airport|West Bay|Old Fort|Hillside|Cruise Port|Lagoon',
  streets: `Bay Street|Main Street|West Bay Road|Harbour Street|Queen Street|Coast Road|King Street|Market Street|Church Street|Beach Road|Lagoon Drive|Palm Avenue|Hope Road|Fort Street|Marine Drive|Long Bay Road|Reef Road|Sandy Lane Road|Wharf Road|Sugar Mill Road`,
  line: '{n} {s}|{n} {s}|Lot {n}, {s}',
  postal: '#####',
})
