/** Surroundings of a property. */
const SETTINGS = ['city', 'beach', 'mountain', 'village'] as const
export type Setting = (typeof SETTINGS)[number]

export type Destination = {
  readonly setting: Setting
  /** Population of a town with as many beds: Zermatt has 5,700 people and a hundred hotels. */
  readonly guestPopulation: number
  /** Price factor for the fame of the place. */
  readonly boost: number
}

/** By setting, then by boost: GeoNames id, guest population in thousands, name (for the reader only). */
const FAMOUS: Record<Setting, Record<string, string>> = {
  city: {
    '1.15': `2542997 1400 Marrakesh|2650225 550 Edinburgh|2656173 130 Bath|2640729 180 Oxford|1279259 1500 Agra|1269515 2700 Jaipur|1253986 400 Udaipur`,
    '1.35': `5128581 8800 New York City|4930956 680 Boston|5391959 860 San Francisco|4140963 690 Washington|4164138 460 Miami|3164603 450 Venice`,
    '1.05': `5506956 1500 Las Vegas|4167147 900 Orlando|4160983 200 Kissimmee|5323810 350 Anaheim|4644585 650 Nashville|4335045 600 New Orleans`,
    '1.13': `2988507 2200 Paris`,
    '1.25': `2643743 8900 London|2759794 1100 Amsterdam`,
    '1.2': `3176959 600 Florence|3169070 2800 Rome|3173435 1400 Milan|3128760 1700 Barcelona|3067696 1500 Prague|2660646 250 Geneva|2657896 420 Zürich|2659811 120 Luzern|2147714 4900 Sydney`,
    '1.1': `2766824 250 Salzburg|2761369 1700 Vienna|1850147 9000 Tokyo|1857910 1500 Kyoto|1853909 2700 Osaka|3413829 350 Reykjavík|1822214 200 Siem Reap|1655559 90 Luang Prabang`,
    '1.0': `3186886 700 Zagreb`,
  },
  beach: {
    '1.35': `2990440 450 Nice|3028808 180 Cannes|3037456 110 Antibes|2976742 60 Saint-Tropez|2994497 50 Menton|3032797 70 Biarritz|3021668 40 Deauville|2985947 40 Porto-Vecchio|3029090 35 Calvi|257056 70 Mýkonos|256344 50 Oía|252920 60 Firá|400666 120 Ródos|6354951 50 Faliráki|259245 70 Kos|260114 120 Chaniá|2463679 80 Kérkyra|251280 60 Zákynthos|257859 40 Mália|258315 60 Limín Khersonísou|256632 40 Náxos|255721 40 Páros`,
    '1.2': `2521088 180 Benidorm|2514169 180 Marbella|2512989 500 Palma|2516479 120 Ibiza|2510281 120 Torremolinos|3110986 90 Salou|3118212 100 Lloret de Mar|3108877 60 Sitges|6355015 60 Magaluf|2522091 60 Alcúdia|2514042 120 Maspalomas|6354969 80 Playa del Ingles|6355183 80 Playa de las Américas|6355013 60 Puerto del Carmen|2519217 60 Corralejo|2511716 100 Roquetas de Mar|3113860 40 Peñíscola|2513240 50 Nerja|3110044 250 San Sebastián|2272222 110 Albufeira|2267226 60 Lagos|2264456 80 Portimão|2267827 150 Funchal|6545006 50 Vilamoura|2269594 90 Cascais|2265552 30 Nazaré|323777 1200 Antalya|320995 150 Bodrum|304782 110 Marmaris|324190 180 Alanya|314967 110 Fethiye|305359 100 Kuşadası|301238 90 Side|308220 90 Kemer|318755 60 Çeşme|295277 90 Eilat|1639002 120 Kuta|1902387 60 Sanur|7290162 60 Nusa Dua|7838713 25 Gili Trawangan|1728659 60 Balabag|1713917 50 El Nido|1716834 40 Coron|934482 60 Grand Baie|934517 40 Flic en Flac|148730 230 Zanzibar|7284275 30 Nungwi|3489460 110 Montego Bay|3489331 50 Negril|3489239 50 Ocho Rios|3534632 60 Varadero|2165087 600 Gold Coast|2147849 120 Surfers Paradise|2172797 220 Cairns|2152681 50 Port Douglas|2172880 60 Byron Bay|2155135 60 Noosa Heads|6354936 40 Airlie Beach|1856035 350 Naha|1861416 80 Ishigaki`,
    '1.3': `3169361 220 Rimini|3169424 100 Riccione|3170051 40 Positano|3183130 40 Amalfi|3166350 80 Sorrento|3180630 40 Capri|2522975 80 Taormina|2525041 40 Cefalù|3174742 100 Lido di Jesolo|3182057 60 Bibione|3164433 80 Viareggio|3183284 70 Alghero|3172087 80 Olbia|3167777 70 Sanremo|1282027 130 Male|11777962 40 Maafushi|3369157 3400 Cape Town|3451190 6700 Rio de Janeiro|3471487 70 Armação dos Búzios|3452640 130 Porto Seguro|3463237 420 Florianópolis|3399415 2400 Fortaleza|3394023 800 Natal`,
    '1.25': `3201047 150 Dubrovnik|3190261 250 Split|3199180 50 Hvar|3191518 60 Rovinj|3192699 70 Poreč|3195890 50 Makarska|3194099 50 Opatija|3186952 120 Zadar|1151254 120 Phuket|6941772 90 Patong|1614295 250 Pattaya|1153269 120 Hua Hin|1152633 70 Krabi|1158377 60 Ban Ao Nang|1154689 100 Ko Samui|1260607 120 Panaji|1273858 80 Calangute|1274989 60 Candolim|1253392 50 Varkala`,
    '1.15': `3203106 70 Budva|3197538 40 Kotor|146748 70 Ayia Napa|146214 110 Paphos|18918 60 Protaras|146384 220 Limassol|2562501 60 Sliema|2562557 60 Saint Julian|2562541 60 San Pawl il-Baħar|292223 3000 Dubai|1222396 60 Kuah|1735106 500 George Town|4588718 120 Myrtle Beach|4153188 70 Destin|4152872 100 Daytona Beach|4151316 120 Clearwater|4791259 450 Virginia Beach|4503351 70 Ocean City|4500546 70 Atlantic City|4155966 200 Fort Lauderdale|1846266 450 Jeju City|6621166 180 Seogwipo`,
    '1.1': `728825 40 Nesebar|361291 250 Hurghada|349340 160 Sharm el-Sheikh|358245 40 Dahab|2473744 110 Hammamet|2464915 250 Sousse|2561668 700 Agadir|2549263 120 Essaouira|1572151 500 Nha Trang|1583992 1300 Da Nang|1580541 180 Hội An|1569973 120 Dương Đông|1571058 200 Phan Thiết|1580410 220 Hạ Long|1233369 130 Negombo|1244178 50 Hikkaduwa|1249978 40 Bentota|187968 100 Malindi|3533462 650 Acapulco de Juárez|3996322 400 Mazatlán|3577154 60 Oranjestad|3571824 250 Nassau|2202064 80 Nadi`,
    '1.5': `3531673 900 Cancún|3521342 300 Playa del Carmen|3515040 90 Tulum|3985710 120 Cabo San Lucas|3991328 250 Puerto Vallarta|3530103 80 Cozumel|3526756 30 Isla Mujeres|3986172 90 San José del Cabo|4033077 30 Vaitape|4033936 60 Papeete`,
    '1.4': `3494242 150 Punta Cana|3493175 140 Puerto Plata`,
    '1.65': `5856195 400 Honolulu|5849996 70 Lahaina|5849297 70 Kihei|5847504 50 Kailua-Kona|4164143 250 Miami Beach|4160812 90 Key West|5393212 120 Santa Monica|5376890 70 Newport Beach`,
  },
  mountain: {
    '1.5': `2657928 90 Zermatt|2658813 70 St. Moritz|2658168 40 Verbier|2660461 30 Gstaad|2661039 70 Davos|2658898 30 Saas-Fee|2660498 50 Grindelwald|2660253 70 Interlaken|2659992 25 Lauterbrunnen|2661712 40 Arosa|2660902 35 Engelberg|2661750 25 Andermatt|3027301 70 Chamonix-Mont-Blanc|2994768 50 Megève|2971074 50 Val-d'Isère|2972607 40 Tignes|2991630 40 Morzine|6544556 40 Val Thorens|3023065 50 Courchevel|3000902 20 Les Gets|3010004 25 La Clusaz|5892532 60 Banff|6180144 60 Whistler|6354954 30 Jasper|5914894 40 Canmore`,
    '1.3': `2774347 70 Kitzbühel|2764957 60 Sölden|2775183 50 Ischgl|2772798 50 Lech|2766757 50 Sankt Anton am Arlberg|2771725 50 Mayrhofen|2760634 50 Zell am See|2782058 40 Bad Gastein|2765278 45 Seefeld in Tirol|2775220 150 Innsbruck`,
    '1.35': `3177952 60 Cortina d'Ampezzo|3174664 60 Livigno|3181730 30 Bormio|3177872 30 Courmayeur|3171891 35 Ortisei|3166784 35 Selva|3177943 25 Corvara in Badia|1863357 60 Hakone|1855395 80 Nikkō|8630153 50 Hakuba|1850892 90 Takayama`,
    '1.15': `2922530 60 Garmisch-Partenkirchen|2950881 40 Berchtesgaden|2858964 50 Oberstdorf|2923507 40 Füssen`,
    '1.7': `5412230 70 Aspen|5319311 60 Vail|5779451 60 Park City|4431410 60 Jackson|4676181 50 Breckenridge|5441199 30 Telluride|5397664 60 South Lake Tahoe|5370006 40 Mammoth Lakes`,
    '1.25': `5576882 40 Estes Park|5313667 60 Sedona|5543307 50 Moab|4624443 60 Gatlinburg`,
    '1.4': `6204696 70 Queenstown|2184707 40 Wanaka|3934055 20 Ollantaytambo`,
    '1.2': `7647007 180 San Carlos de Bariloche|3858677 50 El Calafate|3833367 90 Ushuaia|1256237 180 Shimla|1263968 90 Manāli|1264976 70 Leh|1273467 130 Darjeeling|1262374 70 Mussoorie|3080866 90 Zakopane|3203925 40 Bled|3041563 70 Andorra la Vella|3038999 25 Soldeu`,
    '1.1': `3941584 430 Cusco|733462 50 Bansko|667091 40 Sinaia|614087 15 Stepantsminda`,
    '1.0': `1282898 300 Pokhara|1568043 70 Sa Pa`,
  },
  village: {
    '1.3': `2776943 20 Hallstatt|313947 50 Göreme`,
    '1.25': `1622846 120 Ubud`,
    '1.15': `3028641 70 Carcassonne|3024297 90 Colmar|2976007 40 Sarlat-la-Canéda|2980392 15 Saint-Émilion|3035681 120 Avignon|2633851 30 Windermere|2638778 30 Saint Ives|2636713 50 Stratford-upon-Avon`,
    '1.2': `3168320 25 San Gimignano|3182722 50 Assisi|3166548 100 Siena|3182230 30 Bellagio|3169333 15 Riomaggiore|3172769 25 Monterosso al Mare`,
  },
}

const DESTINATIONS = new Map<number, Destination>(
  SETTINGS.flatMap((setting) =>
    Object.entries(FAMOUS[setting]).flatMap(([boost, rows]) =>
      rows.split('|').map((row): [number, Destination] => {
        const [id, thousands] = row.split(' ')
        return [Number(id), { setting, guestPopulation: Number(thousands) * 1000, boost: Number(boost) }]
      }),
    ),
  ),
)

/** Returns undefined for an ordinary town. */
export const findDestination = (sourceId: number): Destination | undefined => DESTINATIONS.get(sourceId)
