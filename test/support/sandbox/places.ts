import type { Place } from '../../../sandbox/world/contract.ts'

/** Real places (GeoNames ids, CC BY 4.0): number, name, region, country code and name, lat, lon, people, time zone. */
const ROWS = `
2988507|Paris|Île-de-France|FR|France|48.853|2.3488|2138551|Europe/Paris
2643743|London|England|GB|United Kingdom|51.509|-0.12574|8961989|Europe/London
5128581|New York City|New York|US|United States|40.714|-74.006|8804190|America/New_York
1850147|Tokyo|Tokyo|JP|Japan|35.69|139.692|8336599|Asia/Tokyo
2990440|Nice|Provence-Alpes-Côte d'Azur|FR|France|43.703|7.26608|342669|Europe/Paris
3941584|Cusco|Cuzco Department|PE|Peru|-13.523|-71.9673|428450|America/Lima
2657928|Zermatt|Valais|CH|Switzerland|46.02|7.74863|6629|Europe/Zurich
3413829|Reykjavík|Capital Region|IS|Iceland|64.135|-21.8954|118918|Atlantic/Reykjavik
2147714|Sydney|New South Wales|AU|Australia|-33.868|151.207|5231147|Australia/Sydney
3369157|Cape Town|Western Cape|ZA|South Africa|-33.926|18.4232|4710000|Africa/Johannesburg
3451190|Rio de Janeiro|Rio de Janeiro|BR|Brazil|-22.906|-43.1822|6747815|America/Sao_Paulo
292223|Dubai|Dubai|AE|United Arab Emirates|25.077|55.3093|3478300|Asia/Dubai
1609350|Bangkok|Bangkok|TH|Thailand|13.754|100.501|5104476|Asia/Bangkok
1581130|Hanoi|Hanoi|VN|Vietnam|21.024|105.841|8053663|Asia/Bangkok
3169070|Rome|Lazio|IT|Italy|41.892|12.5113|2318895|Europe/Rome
3164603|Venice|Veneto|IT|Italy|45.437|12.3326|51298|Europe/Rome
3173435|Milan|Lombardy|IT|Italy|45.464|9.18951|1371498|Europe/Rome
3117735|Madrid|Madrid|ES|Spain|40.416|-3.70256|3255944|Europe/Madrid
3128760|Barcelona|Catalonia|ES|Spain|41.389|2.15899|1620343|Europe/Madrid
2267057|Lisbon|Lisbon|PT|Portugal|38.717|-9.13333|517802|Europe/Lisbon
2950159|Berlin|State of Berlin|DE|Germany|52.524|13.4105|3426354|Europe/Berlin
2867714|Munich|Bavaria|DE|Germany|48.137|11.5755|1260391|Europe/Berlin
2761369|Vienna|Vienna|AT|Austria|48.208|16.3721|1691468|Europe/Vienna
2776943|Hallstatt|Upper Austria|AT|Austria|47.562|13.6491|779|Europe/Vienna
2657896|Zürich|Zurich|CH|Switzerland|47.367|8.55|341730|Europe/Zurich
2759794|Amsterdam|North Holland|NL|Netherlands|52.374|4.88969|741636|Europe/Amsterdam
2800866|Brussels|Brussels Capital|BE|Belgium|50.85|4.34878|1019022|Europe/Brussels
3067696|Prague|Prague|CZ|Czechia|50.088|14.4208|1165581|Europe/Prague
756135|Warsaw|Mazovia|PL|Poland|52.23|21.0118|1702139|Europe/Warsaw
3054643|Budapest|Budapest|HU|Hungary|47.498|19.0404|1741041|Europe/Budapest
264371|Athens|Attica|GR|Greece|37.984|23.7278|664046|Europe/Athens
745044|Istanbul|Istanbul|TR|Türkiye|41.014|28.9497|14804116|Europe/Istanbul
360630|Cairo|Cairo|EG|Egypt|30.063|31.2497|9606916|Africa/Cairo
2542997|Marrakesh|Marrakesh-Safi|MA|Morocco|31.634|-7.99994|839296|Africa/Casablanca
184745|Nairobi|Nairobi County|KE|Kenya|-1.2833|36.8167|2750547|Africa/Nairobi
2332459|Lagos|Lagos|NG|Nigeria|6.4541|3.39467|15388000|Africa/Lagos
1275339|Mumbai|Maharashtra|IN|India|19.073|72.8826|12691836|Asia/Kolkata
1273294|Delhi|Delhi|IN|India|28.652|77.2315|10927986|Asia/Kolkata
1283240|Kathmandu|Bagmati Province|NP|Nepal|27.702|85.3206|1442271|Asia/Kathmandu
1880252|Singapore|Singapore|SG|Singapore|1.2897|103.85|5638700|Asia/Singapore
1622846|Ubud|Bali|ID|Indonesia|-8.5098|115.265|74800|Asia/Makassar
1642911|Jakarta|Jakarta|ID|Indonesia|-6.2146|106.845|8540121|Asia/Jakarta
1819729|Hong Kong|Central and Western|HK|Hong Kong|22.278|114.175|7482500|Asia/Hong_Kong
1796236|Shanghai|Shanghai|CN|China|31.222|121.458|22315474|Asia/Shanghai
1816670|Beijing|Beijing|CN|China|39.907|116.397|18960744|Asia/Shanghai
1835848|Seoul|Seoul|KR|South Korea|37.566|126.978|10349312|Asia/Seoul
1857910|Kyoto|Kyoto|JP|Japan|35.021|135.754|1463723|Asia/Tokyo
1853909|Osaka|Osaka|JP|Japan|34.694|135.502|2753862|Asia/Tokyo
2193733|Auckland|Auckland|NZ|New Zealand|-36.849|174.763|417910|Pacific/Auckland
6204696|Queenstown|Otago|NZ|New Zealand|-45.03|168.663|10442|Pacific/Auckland
5856195|Honolulu|Hawaii|US|United States|21.307|-157.858|371657|Pacific/Honolulu
5368361|Los Angeles|California|US|United States|34.052|-118.244|3898747|America/Los_Angeles
5391959|San Francisco|California|US|United States|37.775|-122.419|864816|America/Los_Angeles
4887398|Chicago|Illinois|US|United States|41.85|-87.65|2696555|America/Chicago
4164143|Miami Beach|Florida|US|United States|25.791|-80.13|92312|America/New_York
6167865|Toronto|Ontario|CA|Canada|43.7|-79.4163|2600000|America/Toronto
5892532|Banff|Alberta|CA|Canada|51.176|-115.57|7502|America/Edmonton
3530597|Mexico City|Mexico City|MX|Mexico|19.428|-99.1277|12294193|America/Mexico_City
3531673|Cancún|Quintana Roo|MX|Mexico|21.174|-86.8466|628306|America/Cancun
3435910|Buenos Aires|Buenos Aires F.D.|AR|Argentina|-34.613|-58.3772|2891082|America/Argentina/Buenos_Aires
3871336|Santiago|Santiago Metropolitan|CL|Chile|-33.457|-70.6483|4837295|America/Santiago
3688689|Bogotá|Bogota D.C.|CO|Colombia|4.6097|-74.0817|7674366|America/Bogota
2618425|Copenhagen|Capital Region|DK|Denmark|55.676|12.5655|1153615|Europe/Copenhagen
2673730|Stockholm|Stockholm|SE|Sweden|59.329|18.0687|1515017|Europe/Stockholm
3133895|Tromsø|Troms|NO|Norway|69.649|18.9551|64448|Europe/Oslo
658225|Helsinki|Uusimaa|FI|Finland|60.17|24.9354|658864|Europe/Helsinki
2964574|Dublin|Leinster|IE|Ireland|53.333|-6.24889|1024027|Europe/Dublin
2650225|Edinburgh|Scotland|GB|United Kingdom|55.952|-3.19648|506520|Europe/London
6544556|Val Thorens|Auvergne-Rhône-Alpes|FR|France|45.298|6.58377|2500|Europe/Paris
2996944|Lyon|Auvergne-Rhône-Alpes|FR|France|45.748|4.84671|522969|Europe/Paris
588409|Tallinn|Harjumaa|EE|Estonia|59.437|24.7535|394024|Europe/Tallinn
285787|Kuwait City|Al Asimah|KW|Kuwait|29.37|47.9783|60064|Asia/Kuwait
250441|Amman|Amman|JO|Jordan|31.955|35.945|1275857|Asia/Amman
293397|Tel Aviv|Tel Aviv|IL|Israel|32.081|34.7806|432892|Asia/Jerusalem
2198148|Suva|Central|FJ|Fiji|-18.137|178.425|77366|Pacific/Fiji
257056|Mykonos|South Aegean|GR|Greece|37.445|25.3287|3783|Europe/Athens
`

export const TEST_PLACES: readonly Place[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [id, name = '', region = '', countryCode = '', countryName = '', lat, lon, people, timezone = ''] =
      row.split('|')
    const point = { lat: Number(lat), lon: Number(lon) }
    return { sourceId: Number(id), name, region, countryCode, countryName, point, population: Number(people), timezone }
  })

export function aPlace(name: string): Place {
  const found = TEST_PLACES.find((place) => place.name === name)
  if (found === undefined) throw new Error(`no test place called ${name}`)
  return found
}
