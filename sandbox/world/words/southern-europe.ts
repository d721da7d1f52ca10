import { styleWords } from './style-words.ts'

export const ES = styleWords({
  cores: `San Miguel|La Alameda|Plaza Mayor|Los Naranjos|El Mirador|Santa Isabel|Casa Blanca|Don Álvaro|La Giralda|Puerta Real|Las Palmeras|El Convento|Miramar|Los Jazmines|Reina Sofía|El Patio|La Muralla|San Lorenzo|Costa Azul|El Cid|Las Murallas|La Rambla|Monte Alto|Los Olivos|El Faro|Santa Ana|Alcázar|La Perla|Villa Carmen|Las Torres|El Molino|Sol y Mar|La Posada|Gran Vía|El Rincón|Los Álamos|Castilla|La Colina|Bahía|El Jardín|Las Rosas|San Sebastián|Almirante|La Ermita|Montesol|El Olivar`,
  hotel: 'Hotel {c}|Hotel {c} {p}|Gran Hotel {c}|Hotel Boutique {c}|Hotel Palacio {c}',
  guesthouse: 'Hostal {c}|Pensión {c}|Posada {c}|Casa Rural {c}',
  apartment: 'Apartamentos {c}|Aparthotel {c}|Suites {c}|Apartamentos Turísticos {c} {p}',
  hostel: 'Albergue {c}|Hostel {c} {p}|Albergue Juvenil {c}|Backpackers {c}',
  resort: 'Resort {c}|Club {c}|Hotel & Spa {c}|Complejo {c}',
  quarters: 'Casco Antiguo|Centro|Estación|Puerto|Ensanche|La Judería|Plaza de España|Playa|El Carmen|Arenal',
  streets: `Calle Mayor|Avenida de la Constitución|Calle Real|Plaza de España|Calle San Juan|Paseo Marítimo|Calle del Carmen|Ronda de Levante|Calle Cervantes|Gran Vía|Calle Nueva|Plaza del Mercado|Avenida de Andalucía|Calle de la Luna|Calle Goya|Paseo de la Estación|Calle Santa María|Cuesta del Castillo|Calle Colón|Travesía del Pozo`,
  line: '{s}, {n}|{s} {n}|{s}, {n}',
  postal: '#####',
})

export const PT = styleWords({
  cores: `Boa Vista|do Carmo|São Bento|das Flores|Avenida Real|da Praia|Dom Henrique|Santa Luzia|do Castelo|Miradouro|da Ribeira|Solar do Douro|Bela Vista|dos Jerónimos|da Estrela|Quinta Nova|do Chiado|Vila Galega|Santo António|do Mar|das Laranjeiras|Alfama|da Sé|Monte Verde|do Infante|da Graça|Casa Branca|dos Navegantes|Atlântico|do Pinhal|Rosa Mar|da Torre|Terra Nova|dos Clérigos|do Jardim|Sol Nascente|da Lapa|Marquês|do Farol|Porto Velho`,
  hotel: 'Hotel {c}|Hotel {c} {p}|Grande Hotel {c}|Palácio {c}',
  guesthouse: 'Residencial {c}|Pensão {c}|Casa {c}|Estalagem {c}',
  apartment: 'Apartamentos {c}|Aparthotel {c}|Suites {c}|Casas {c} {p}',
  hostel: 'Hostel {c}|Hostel {c} {p}|Pousada da Juventude {c}|Albergaria {c}',
  resort: 'Quinta {c} Resort|Herdade {c}|Resort & Spa {c}|Aldeamento {c}',
  quarters: 'Baixa|Centro|Estação|Marina|Ribeira|Bairro Alto|Praça Velha|Praia|Castelo|Avenida',
  streets: `Rua Augusta|Avenida da Liberdade|Rua do Comércio|Largo da Sé|Rua de Santo António|Praça da República|Rua das Flores|Rua Direita|Avenida Marginal|Travessa do Forno|Rua 25 de Abril|Rua da Alegria|Largo do Rossio|Rua Luís de Camões|Avenida dos Descobrimentos|Calçada do Monte|Rua Nova|Rua da Igreja|Beco do Carmo|Rua do Sol`,
  line: '{s}, {n}|{s} {n}|{s}, nº {n}',
  postal: '####-###',
})

export const GR = styleWords({
  cores: `Aphrodite|Akti|Poseidon|Anemos|Helios|Athina|Kyma|Olympia|Galini|Asteria|Nefeli|Ariadne|Thalassa|Delfini|Electra Vista|Ilios|Maistrali|Petra|Calypso|Philoxenia|Zephyros|Artemis|Meltemi|Ionia|Evridiki|Kastro|Selini|Alkyon|Iris|Orpheas|Dionysos|Aegli|Theoxenia|Elia|Penelope|Pelagos|Daphne|Armonia|Almyra|Nereida|Ostria|Rodon`,
  hotel: 'Hotel {c}|{c} Hotel|{c} Palace|{c} Boutique Hotel|{c} Hotel {p}',
  guesthouse: 'Pension {c}|{c} Rooms|Villa {c}|{c} Guesthouse',
  apartment: '{c} Apartments|{c} Studios|{c} Suites|{c} Studios & Apartments',
  hostel: '{c} Hostel|{c} Backpackers|Hostel {c} {p}|{c} Youth Hostel',
  resort: '{c} Beach Resort|{c} Bay Resort & Spa|{c} Village|{c} Beach Hotel',
  quarters: 'Old Town|Harbour|Plaka|Chora|Paralia|Kastro|Agora|Marina|Kentro|Lofos',
  streets: `Odos Ermou|Leoforos Venizelou|Odos Athinas|Plateia Syntagmatos|Odos Kolokotroni|Paraliaki Odos|Odos Aristotelous|Odos Solonos|Odos Mitropoleos|Odos 25is Martiou|Odos Agiou Nikolaou|Leoforos Dimokratias|Odos Kapodistriou|Odos Omirou|Odos Navarinou|Odos Ionos|Plateia Eleftherias|Odos Papandreou|Odos Vyronos|Odos Platonos`,
  line: '{s} {n}|{s} {n}',
  postal: '### ##',
})

export const TR = styleWords({
  cores: `Sultan|Yıldız|Lale|Ayasuluk|Mavi Ev|Güneş|Kapadokya|Çınar|Deniz|Nar|Osmanlı|Zümrüt|Kervan|Anemon Bahçe|Boğaz|Gül|Hanedan|İpek Yolu|Kaya|Marmara Işık|Pera Bahçesi|Sarı Konak|Turkuaz|Uçhisar|Yeşil|Taş Konak|Ege|Fener|Hisar|Ihlamur|Köşk|Martı Evi|Nazar|Portakal|Saray|Truva|Vadi|Yakamoz|Zeytin|Altın Koza|Bey Konağı|Defne`,
  hotel: '{c} Hotel|{c} Oteli|Hotel {c} {p}|{c} Palace Hotel|Grand {c} Hotel',
  guesthouse: '{c} Pansiyon|{c} Konağı|{c} Butik Otel|{c} Guesthouse',
  apartment: '{c} Apart|{c} Suites|{c} Residence|{c} Apart Otel {p}',
  hostel: '{c} Hostel|{c} Hostel {p}|{c} Backpackers|{c} Misafirhanesi',
  resort: '{c} Resort|{c} Tatil Köyü|{c} Beach Resort & Spa|Club {c}',
  quarters: 'Merkez|Eski Şehir|Sahil|İstasyon|Çarşı|Liman|Kale|Meydan|Yeni Mahalle|Marina',
  streets: `Atatürk Caddesi|Cumhuriyet Meydanı|İstiklal Caddesi|Gazi Bulvarı|Lale Sokak|Çarşı Caddesi|Barbaros Bulvarı|Sahil Yolu|Mimar Sinan Caddesi|Yeni Sokak|Fatih Caddesi|Kordon Boyu|Zafer Sokak|Kale Sokak|Hürriyet Caddesi|Menekşe Sokak|İnönü Caddesi|Liman Sokak|Çınar Sokak|Bağlar Caddesi`,
  line: '{s} No: {n}|{s} No:{n}|{s} {n}',
  postal: '#####',
})
