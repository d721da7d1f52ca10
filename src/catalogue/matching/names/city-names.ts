import { memoize } from '../../../lib/async/memoize.ts'
import { foldText } from '../../../lib/text/fold-text.ts'
import { SAME_WORD } from './name-tables.ts'

/** City names in several languages and codes: the Latin ones of scripts/locations/seeds/names.psv, which a test compares. */
const SEEDS = `new york city|new york|nyc|nueva york; los angeles|la|l a|qla; san francisco|sf|san fran|frisco|qsf;
washington|washington dc|washington d c|was; las vegas|vegas; new orleans|nola|nouvelle orleans; philadelphia|philly;
chicago|chi; detroit|dtt; houston|qho; dallas|dallas fort worth|qdf; kailua kona|kona; saint louis|st louis;
fort lauderdale|ft lauderdale; london|londres|londra|londen|lon; newcastle upon tyne|newcastle;
kingston upon hull|hull; paris|parigi|par; chamonix mont blanc|chamonix; saint tropez|st tropez;
marseille|marseilles; lyon|lyons; rome|roma|rom; milan|milano|mailand|mil; venice|venezia|venedig|venise|venecia;
florence|firenze|florenz|florencia; naples|napoli|neapel; turin|torino; genoa|genova|genua; syracuse|siracusa;
padova|padua; mantova|mantua; sevilla|seville; san sebastian|donostia; palma|palma de mallorca; zaragoza|saragossa;
a coruna|la coruna|corunna; lisbon|lisboa|lissabon|lisbonne; porto|oporto; munich|munchen|muenchen;
cologne|koln|koeln; nurnberg|nuremberg|nuernberg; frankfurt am main|frankfurt|francfort; hannover|hanover;
berlin|berlino; dusseldorf|duesseldorf; rothenburg ob der tauber|rothenburg; garmisch partenkirchen|garmisch;
vienna|wien|vienne|viena; st anton am arlberg|st anton|sankt anton; sankt johann in tirol|st johann in tirol;
zurich|zuerich; geneve|geneva|genf|ginevra; luzern|lucerne; basel|basle|bale; bern|berne; sankt moritz|st moritz;
the hague|den haag|s gravenhage|la haye; s hertogenbosch|den bosch; brussels|bruxelles|brussel;
antwerpen|antwerp|anvers; brugge|bruges; gent|ghent|gand; ieper|ypres; copenhagen|kobenhavn|kopenhagen|copenhague;
arhus|aarhus; goteborg|gothenburg|goeteborg; stockholm|sto; bergen|bergen norway; reykjavik|rek;
warsaw|warszawa|warschau|varsovie|varsavia; krakow|cracow|krakau|cracovie; gdansk|danzig; wroclaw|breslau;
prague|praha|prag|praga; pilsen|plzen; karlovy vary|karlsbad; bratislava|pressburg; bucharest|bucuresti|bukarest|buh;
belgrade|beograd|belgrad; athens|athina|athen|athenes|atene; thessaloniki|salonica|saloniki;
heraklion|irakleion|iraklion; chania|hania; rodos|rhodes town|rhodes city; kerkyra|corfu town; mykonos|mykonos town;
fira|thira town; nafplio|nafplion; rethymno|rethymnon; kalabaka|kalambaka|kalampaka; delfoi|delphi town;
pireas|piraeus; patra|patras; nicosia|lefkosia; paphos|pafos; istanbul|constantinople; izmir|smyrna|izm;
moscow|moskva|moskau|moscou|mow; saint petersburg|st petersburg|petersburg; kyiv|kiev|kiew; odesa|odessa;
lviv|lvov|lemberg; tbilisi|tiflis; baku|baki|bak; jerusalem|yerushalayim|al quds; tel aviv|tel aviv yafo;
cairo|al qahirah|le caire|kairo; sharm el sheikh|sharm; giza|gizeh; marrakesh|marrakech|marrakesch; fes|fez;
tangier|tanger|tangiers; abu dhabi|abou dabi; ras al khaimah|rak; mecca|makkah|makkah al mukarramah;
medina|madinah|al madinah; jeddah|jiddah|djeddah; astana|nur sultan; mumbai|bombay; kolkata|calcutta; chennai|madras;
bengaluru|bangalore; kochi|cochin; pondicherry|puducherry; mysore|mysuru; thiruvananthapuram|trivandrum;
alappuzha|alleppey; varanasi|benares|banaras; gurgaon|gurugram; ooty|udhagamandalam; panaji|panjim; delhi|dilli;
visakhapatnam|vizag; bangkok|krung thep; ayutthaya|phra nakhon si ayutthaya;
ho chi minh city|saigon|sai gon|hcmc|ho chi minh; hanoi|ha noi; da nang|danang; da lat|dalat; hoi an|hoian;
sa pa|sapa; singapore|singapur|singapour|singapura; kuala lumpur|kl; george town|georgetown|george town penang;
malacca|melaka; johor bahru|jb;
jakarta|djakarta|jkt; yogyakarta|jogja|jogjakarta|yogya; surakarta|solo; yangon|rangoon; siem reap|siem reab;
sihanoukville|preah sihanouk; vang vieng|vangviang; beijing|peking|pekin|bjs; guangzhou|canton; xian|xi an|sia;
harbin|haerbin; hong kong|hongkong|hk; macau|macao; taipei|taipeh; kaohsiung|gaoxiong; seoul|sel; busan|pusan;
jeju city|jeju si; tokyo|tokio|tyo; osaka|osa; kyoto|kioto; sapporo|spk; montreal|ymq; toronto|yto;
quebec|quebec city|ville de quebec; edmonton|yea; vancouver|vancouver bc; st johns|saint johns;
mexico city|cdmx|ciudad de mexico|mexico df; cabo san lucas|cabo; acapulco de juarez|acapulco;
playa del carmen|playa; santiago de queretaro|queretaro; taxco de alarcon|taxco; oaxaca|oaxaca city;
panama|panama city|ciudad de panama; havana|la habana|habana|la havane|havanna; punta cana|puntacana;
cartagena|cartagena de indias; buenos aires|baires|bue; san carlos de bariloche|bariloche; rio de janeiro|rio;
sao paulo|sampa|sao; belo horizonte|bhz; salvador|salvador da bahia|salvador de bahia; florianopolis|floripa;
armacao dos buzios|buzios; balneario camboriu|camboriu; cusco|cuzco; santiago|santiago de chile;
la paz|la paz bolivia; cape town|kaapstad; johannesburg|joburg|jozi; port elizabeth|gqeberha; mbombela|nelspruit;
dar es salaam|dar; brisbane|brissy; gold coast|goldcoast; yulara|uluru yulara; queenstown|queenstown nz;
st julians|saint julians; saint peter port|st peter port; saint helier|st helier; tunis|tunisi; algiers|alger|algier;
addis ababa|addis abeba|addis; luxembourg|luxembourg city|luxemburg; kuwait city|koweit;
machupicchu|aguas calientes|machu picchu pueblo; klosters serneus|klosters|klosters dorf`

/** Names that only hotels use. */
const HOTEL_ALIASES = `new york city|ny|manhattan|nyc manhattan; washington|dc|district of columbia; barcelona|bcn; madrid|mad; london|ldn;
los angeles|lax; san francisco|sfo; paris|paname; vienna|vie; amsterdam|ams; berlin|ber; roma|rm; milano|mi`

const GROUPS = new Map<string, Set<string>>()
for (const row of [...SEEDS.split(';'), ...HOTEL_ALIASES.split(';')]) {
  const names = row.trim().split('|')
  const known = names.map((name) => GROUPS.get(name)).find((group) => group !== undefined)
  const group = known ?? new Set<string>()
  for (const name of names) {
    for (const word of name.split(' ')) group.add(SAME_WORD.get(word) ?? word)
    GROUPS.set(name, group)
  }
}

/** Vendors repeat the same few cities. */
const CITIES_MAX = 5_000

/** Words of all names of a city: "Wien" → wien, vienna … */
export const findCityWords = memoize(
  CITIES_MAX,
  (city: string): ReadonlySet<string> => findWords(foldText(city.replace(/\(.*|\d+/g, ' '))),
)

/** Looks up the longest prefix: "New York, NY", "Paris Cedex". */
function findWords(folded: string): ReadonlySet<string> {
  const own = folded.split(' ').filter((word) => word !== '')
  for (let length = own.length; length > 0; length -= 1) {
    const group = GROUPS.get(own.slice(0, length).join(' '))
    if (group !== undefined) return length === own.length ? group : new Set([...group, ...own])
  }
  return new Set(own.map((word) => SAME_WORD.get(word) ?? word))
}
