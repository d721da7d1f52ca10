import { styleWords } from './style-words.ts'

export const FR = styleWords({
  cores: `Bellevue|du Parc|de la Gare|Beau Rivage|des Tilleuls|Saint-Martin|de la Poste|du Vieux Pont|Beauséjour|des Arts|du Marché|La Fontaine|Les Glycines|du Lion d'Or|de l'Horloge|des Remparts|Le Clos Fleuri|de la Cathédrale|Mirabeau|des Lices|Victor Hugo|de l'Ermitage|La Résidence|des Voyageurs|Sainte-Anne|du Moulin|Les Platanes|de la Paix|Le Cheval Blanc|des Deux Ponts|La Tourelle|du Théâtre|Lamartine|de la Roseraie|Les Oliviers|du Jardin|de l'Univers|des Alizés|Le Relais|d'Angoulême|Montaigne|de la Halle|Le Vieux Logis|des Quatre Saisons|Belle Étoile|de la Licorne|du Pressoir|Les Acacias`,
  hotel: 'Hôtel {c}|Hôtel {c} {p}|Grand Hôtel {c}|Hôtel Restaurant {c}|Hôtel {c} & Spa|Logis {c}',
  guesthouse: "Chambres d'hôtes {c}|Auberge {c}|Maison {c}|Pension {c}",
  apartment: "Résidence {c}|Appart'hôtel {c}|Appartements {c}|Studios {c} {p}",
  hostel: 'Auberge de jeunesse {c}|Hostel {c} {p}|Le Dortoir {c}|Auberge {c} des Étudiants',
  resort: 'Domaine {c}|Les Villas {c}|Hôtel Club {c}|Domaine & Spa {c}',
  quarters: 'Vieille Ville|Centre|Gare|Saint-Michel|République|Les Halles|Bellecour|Port|Hôtel de Ville|Les Quais',
  streets: `Rue de la République|Rue Victor Hugo|Avenue de la Gare|Rue du Marché|Place de l'Église|Rue des Capucins|Boulevard Gambetta|Rue Saint-Antoine|Quai de la Liberté|Rue Pasteur|Rue des Lilas|Avenue Jean Jaurès|Rue du Faubourg Saint-Jean|Rue de Verdun|Rue des Écoles|Impasse des Tanneurs|Boulevard Carnot|Rue Lafayette|Place du Général Leclerc|Chemin des Vignes`,
  line: '{n} {s}|{n}, {s}|{n} bis {s}',
  postal: '#####',
})

export const IT = styleWords({
  cores: `Bellavista|al Ponte|La Rosa|Villa Serena|San Marco|del Corso|Aurora|Stella d'Oro|al Duomo|Belvedere|Le Palme|Minerva|dei Mille|La Fenice|Santa Chiara|Miramonti|Cavour|del Sole|Giardino|alla Posta|Tre Fontane|Leon d'Oro|La Pergola|Garibaldi|Degli Ulivi|Al Cavallino|Vittoria|Il Chiostro|Fiorita|La Torre|Moderno|Porta Nuova|delle Nazioni|Ai Tigli|La Meridiana|San Giorgio|Antico Borgo|Margherita|Alla Vecchia Dogana|I Glicini|Speranza|Palazzo Bruni|Il Gelsomino|Alba|Corte dei Mori|La Locanda Verde`,
  hotel: 'Albergo {c}|Hotel {c}|Hotel {c} {p}|Grand Hotel {c}|Hotel Ristorante {c}',
  guesthouse: 'Locanda {c}|Pensione {c}|B&B {c}|Affittacamere {c}',
  apartment: 'Residence {c}|Appartamenti {c}|Case Vacanza {c}|Suites {c} {p}',
  hostel: 'Ostello {c}|Ostello {c} {p}|Hostel {c}|Foresteria {c}',
  resort: 'Tenuta {c}|Borgo {c} Resort|Resort & Spa {c}|Masseria {c}',
  quarters: 'Centro Storico|Stazione|Lungomare|Porta Romana|San Lorenzo|Borgo Vecchio|Fiera|Prati|Piazza Grande|Marina',
  streets: `Via Garibaldi|Via Roma|Corso Vittorio Emanuele|Via Mazzini|Piazza Dante|Via Cavour|Viale della Stazione|Via San Francesco|Via dei Mille|Largo Matteotti|Via Verdi|Via del Mercato|Lungomare Colombo|Via Marconi|Piazza della Libertà|Vicolo del Forno|Via Galilei|Viale Kennedy|Via delle Rose|Salita del Castello`,
  line: '{s}, {n}|{s} {n}',
  postal: '#####',
})

export const DE = styleWords({
  cores: `Zum Goldenen Hirsch|Zur Post|Alte Mühle|Am Markt|Schwarzer Adler|Zur Linde|Rosengarten|Zum Löwen|Bergblick|Am Stadtpark|Goldene Krone|Zur Sonne|Waldfrieden|Kaiserhof|Zum Anker|Seeblick|Am Rathaus|Zum Weißen Ross|Drei Könige|Lindenhof|Zum Ochsen|Alpenrose|Am Schlossberg|Sonnenhof|Zur Alten Brücke|Edelweiß|Zum Bären|Am Dom|Hirschen|Tannenhof|Zum Ritter|Bürgerhof|Zur Traube|Schillerhof|Am Kurpark|Zum Roten Turm|Enzian|Zur Eiche|Gletscherblick|Zum Schwan|Birkenhof|Alter Speicher|Zur Glocke|Am Weinberg|Residenzhof|Zum Stern`,
  hotel: 'Hotel {c}|Hotel Garni {c}|Hotel Restaurant {c}|Romantikhaus {c}|Stadthotel {c}',
  guesthouse: 'Gasthof {c}|Pension {c}|Landgasthof {c}|Gästehaus {c}',
  apartment: 'Ferienwohnungen {c}|Appartementhaus {c}|Apartments {c} {p}|Aparthotel {c}',
  hostel: 'Jugendherberge {c}|Hostel {c} {p}|Herberge {c}|Backpacker {c}',
  resort: 'Wellnesshotel {c}|Resort & Spa {c}|Ferienpark {c}|Kurhotel {c}',
  quarters: 'Altstadt|Hauptbahnhof|Zentrum|Messe|Neustadt|Südstadt|Am See|Schlossviertel|Westend|Dorfplatz',
  streets: `Bahnhofstraße|Hauptstraße|Marktplatz|Schillerstraße|Goethestraße|Kirchgasse|Am Mühlbach|Lindenallee|Bergstraße|Poststraße|Gartenweg|Schlossstraße|Kaiserstraße|Ringstraße|Rathausplatz|Seestraße|Dorfstraße|Friedrichstraße|Obere Gasse|Wiesenweg`,
  line: '{s} {n}|{s} {n}a|{s} {n}',
  postal: '#####',
})

export const NL = styleWords({
  cores: `De Gouden Leeuw|Het Wapen|De Oude Haven|Zonneheuvel|De Posthoorn|'t Anker|De Linde|Het Zwaantje|De Korenbeurs|Duinzicht|De Drie Haringen|Prinsenhof|De Tulp|Het Raadhuis|De Molen|Zeezicht|De Witte Brug|Het Klooster|De Ooievaar|Singelzicht|De Vergulde Valk|Het Heerenhuis|De Keizer|Parkzicht|De Zilveren Maan|Het Gouden Hoofd|De Veerman|Bloemenhof|De Pelikaan|Het Pakhuis|De Schelp|Oranjehof|De Boog|Het Witte Paard|De Waag|Rozenburg|De Zeemeermin|Stadsherberg|De Eenhoorn|Het Lage Land`,
  hotel: 'Hotel {c}|Hotel {c} {p}|Grand Hotel {c}|Stadshotel {c}',
  guesthouse: 'Pension {c}|Herberg {c}|B&B {c}|Logement {c}',
  apartment: 'Appartementen {c}|Aparthotel {c}|Suites {c}|Verblijf {c} {p}',
  hostel: 'Hostel {c}|Hostel {c} {p}|Slaaphuis {c}|Jeugdherberg {c}',
  resort: 'Landgoed {c}|Resort {c}|Vakantiepark {c}|Buitenplaats {c}',
  quarters: 'Centrum|Centraal Station|Oude Haven|Museumkwartier|Zuid|Markt|Grachten|Noord|Jachthaven|Stadspark',
  streets: `Herengracht|Stationsplein|Kerkstraat|Oude Markt|Nieuwstraat|Prinsengracht|Molenweg|Wilhelminastraat|Havenkade|Dorpsstraat|Singel|Grote Markt|Koningsplein|Lindelaan|Hoogstraat|Vismarkt|Beukenlaan|Parkweg|Zandpad|Raadhuisstraat`,
  line: '{s} {n}|{s} {n}|{s} {n}-{n}',
  postal: '#### @@',
})

export const GB = styleWords({
  cores: `Kingsley|Rose & Crown|Ashcombe|White Hart|Wellington|Old Rectory|Maple|Royal Oak|Pembroke|Fox & Hounds|Harbour|Queen's Head|Elmfield|Red Lion|Thornbury|George|Bramble|Castle View|Lansdowne|Kestrel|Greyfriars|Swan|Millbrook|Wheatsheaf|Belgrave|Bell|Heathfield|Golden Fleece|Clarendon|Barley Mow|Hawthorn|Albion|Orchard|Talbot|Ivy|Plough|Lyndale|Blue Boar|Rowan|Abbey|Mulberry|Black Swan|Stanhope|Old Mill|Primrose|Windmill|Fernleigh|Chequers`,
  hotel: 'The {c} Hotel|{c} Hotel|The {c}|{c} Hotel {p}|The {c} Hotel & Restaurant',
  guesthouse: 'The {c} Inn|{c} Guest House|{c} House B&B|The {c} Arms',
  apartment: '{c} Serviced Apartments|{c} Suites {p}|{c} Court Apartments|The {c} Residences',
  hostel: '{c} Backpackers|{c} Hostel {p}|The {c} Bunkhouse|{c} Youth Hostel',
  resort: '{c} Hall Hotel & Spa|{c} Manor|{c} Park Resort|{c} Country Club',
  quarters:
    'City Centre|Old Town|Station|Riverside|Market Square|Docklands|West End|Cathedral Quarter|Seafront|University',
  streets: `High Street|Station Road|Church Lane|Victoria Road|King Street|Mill Lane|Queen's Road|Park Road|Market Place|Castle Street|The Green|London Road|Albert Street|Bridge Street|Chapel Street|North Parade|Marine Drive|Orchard Close|Abbey Road|George Street`,
  line: '{n} {s}|{n}-{n} {s}|{n} {s}',
  postal: '@@# #@@',
})
