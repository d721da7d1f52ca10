/**
 * Every figure the played day rests on, in one place. `docs/scaling.md` shows the same table, written from here. `bench`
 * comes out of `npm run bench` and is to be replaced by what your machine says; `measured` was taken once by hand, on
 * the sandbox's vendors; `guess` is a guess.
 */
type Assumption = {
  readonly value: number
  readonly unit: string
  readonly meaning: string
  /** Where the figure comes from. */
  readonly source: 'bench' | 'measured' | 'setting' | 'code' | 'guess'
}

const figure = (
  value: number,
  unit: string,
  source: Assumption['source'],
  meaning: string,
): Assumption & { value: number } => ({ value, unit, source, meaning })

export const ASSUMPTIONS = {
  cpuFixedMs: figure(9, 'ms', 'bench', 'main thread, a search: token, validation, area, saving'),
  cpuAskedMs: figure(0.057, 'ms/property', 'bench', 'main thread where the vendors were asked: merge, rank, write'),
  cpuReusedMs: figure(0.036, 'ms/property', 'measured', 'main thread where an answer was reused: merge, rank, write'),
  cpuAsideAskedMs: figure(
    0.19,
    'ms/property',
    'bench',
    'other threads where the vendors were asked: reading their answers, packing what is saved',
  ),
  cpuAsideReusedMs: figure(0.006, 'ms/property', 'measured', 'other threads where an answer was reused'),
  cpuPackingMs: figure(0.03, 'ms/property', 'measured', 'other threads: packing our answer for the client'),
  cpuPageMs: figure(10, 'ms', 'measured', 'one page of a saved search'),
  cpuDetailMs: figure(58, 'ms', 'bench', 'one property with its rooms, its vendors asked'),
  cpuBookMs: figure(4, 'ms', 'guess', 'one booking: 1.9 measured without vendors, the rest for two calls to one'),
  cpuLookupMs: figure(0.23, 'ms', 'bench', 'one look-up of locations over HTTP'),
  answerBytes: figure(3_000, 'B/property', 'measured', 'our answer, unpacked'),
  answerPackedShare: figure(0.12, '', 'measured', 'what gzip leaves of it'),
  savedBytes: figure(83, 'B/property', 'bench', 'a saved search, packed'),
  savedHeadBytes: figure(800, 'B', 'measured', 'its head'),
  keptAnswerBytes: figure(40, 'B/property', 'measured', "a vendor's answer as Redis keeps it, packed"),

  reuseOwnS: figure(15, 's', 'setting', 'an answer serves its own process: a third of SERAI_ANSWER_REUSE_SECONDS'),
  reuseSharedS: figure(30, 's', 'setting', 'and from Redis all others: the rest of it'),
  savedMinutes: figure(60, 'min', 'setting', 'life of a saved search: SERAI_SEARCH_TTL_MINUTES'),
  keptExpiredHours: figure(24, 'h', 'code', 'how long PostgreSQL keeps it after that'),
  databaseConnections: figure(10, '', 'setting', 'of one process: SERAI_DATABASE_CONNECTIONS'),
  inFlightMax: figure(96, '', 'code', "one process's calls under way at one vendor, class search"),
  candidatesMax: figure(1_000, '', 'code', 'properties asked for in one search'),
  commitsPerBooking: figure(6, '', 'guess', 'intent, states, events, webhooks'),

  lookToBook: figure(2_000, '', 'guess', 'searches for one booking: 500 among agencies to 20,000 behind metasearch'),
  lookupsPerSearch: figure(6, '', 'guess', 'keystrokes that ask for locations'),
  pagesPerSearch: figure(2, '', 'guess', 'pages, orders and filters of a saved search'),
  detailsPerSearch: figure(0.3, '', 'guess', 'properties opened'),
  repeatShare: figure(0.15, '', 'guess', 'searches that ask again what the same person has just asked'),
  repeatAfterS: figure(60, 's', 'guess', 'mean time after which they do'),
  destinations: figure(20_000, '', 'guess', 'places anybody asks for'),
  destinationSkew: figure(1, '', 'guess', 'exponent of their popularity (Zipf)'),
  markets: figure(40, '', 'guess', 'combinations of currency, language and country'),
  marketSkew: figure(1.2, '', 'guess', 'exponent of their popularity'),
  ownRadiusShare: figure(0.1, '', 'guess', 'searches with a circle of their own, which nobody else asks for'),

  utilisation: figure(0.6, '', 'guess', 'share of a processor planned for; the rest is for bursts'),
  nodeCores: figure(8, 'cores', 'guess', 'a node, with as many processes'),
  redisShardGb: figure(24, 'GB', 'guess', 'memory of one Redis that is filled'),
  redisShardOps: figure(80_000, '/s', 'guess', 'operations of one Redis'),
  redisShardMb: figure(500, 'MB/s', 'guess', 'bytes in and out of one Redis'),
  redisOverhead: figure(1.25, '', 'guess', 'memory for a byte kept'),
  databaseCommits: figure(8_000, '/s', 'guess', 'durable commits of one PostgreSQL'),
  databaseMb: figure(150, 'MB/s', 'guess', 'bytes one PostgreSQL writes, and logs, day and night'),
  databaseReads: figure(60_000, '/s', 'guess', 'reads by key of one PostgreSQL or replica'),

  nodeEuro: figure(0.32, '€/h', 'guess', 'a node of 8 cores and 16 GB'),
  redisEuro: figure(0.28, '€/h', 'guess', 'a machine of 32 GB for Redis'),
  databaseEuro: figure(1.4, '€/h', 'guess', 'a machine of 16 cores and fast disks for PostgreSQL'),
  trafficEuro: figure(0.02, '€/GB', 'guess', 'bytes to clients'),
  diskEuro: figure(0.1, '€/GB/month', 'guess', 'disks of PostgreSQL'),
} as const satisfies Record<string, Assumption>

export type Figures = { readonly [Name in keyof typeof ASSUMPTIONS]: number }

export const DEFAULT_FIGURES = Object.fromEntries(
  Object.entries(ASSUMPTIONS).map(([name, { value }]) => [name, value]),
) as Figures

/** A vendor as the played day knows it. Quotas are by contract: give your own on the command line. */
export type VendorModel = {
  readonly id: string
  /** Which part of the properties in a place it has. */
  readonly share: number
  readonly propertiesPerCall: number
  /** How often a search asks about the same properties: once for each kind of rate that results can be filtered by. */
  readonly questions: number
  readonly rawBytes: number
  readonly packedShare: number
  readonly latencyMedianMs: number
  /** Spread of the logarithm of its latency. */
  readonly latencySpread: number
  readonly quota:
    | { readonly kind: 'calls_per_second'; readonly most: number }
    | { readonly kind: 'load_per_minute'; readonly most: number }
}

export const VENDORS: readonly VendorModel[] = [
  {
    id: 'expedia_rapid',
    share: 0.9,
    propertiesPerCall: 250,
    questions: 6,
    rawBytes: 7_300,
    packedShare: 0.08,
    latencyMedianMs: 900,
    latencySpread: 0.5,
    quota: { kind: 'load_per_minute', most: 1_000_000 },
  },
  {
    id: 'hotelbeds',
    share: 0.4,
    propertiesPerCall: 2_000,
    questions: 1,
    rawBytes: 7_700,
    packedShare: 0.08,
    latencyMedianMs: 1_100,
    latencySpread: 0.6,
    quota: { kind: 'calls_per_second', most: 50 },
  },
  {
    id: 'liteapi',
    share: 0.5,
    propertiesPerCall: 200,
    questions: 6,
    rawBytes: 11_600,
    packedShare: 0.08,
    latencyMedianMs: 2_300,
    latencySpread: 0.5,
    quota: { kind: 'calls_per_second', most: 250 },
  },
]

/** Past it, a search is answered without the vendor. */
export const DEADLINE_MS = 5_000

/** Searches in each hour as a share of the busiest moment: a market in one part of the world, asleep at night. */
export const HOURS: readonly number[] = [
  0.35, 0.25, 0.18, 0.15, 0.16, 0.22, 0.35, 0.5, 0.65, 0.75, 0.8, 0.82, 0.84, 0.83, 0.82, 0.83, 0.85, 0.88, 0.92, 0.97,
  1, 0.96, 0.8, 0.55,
]

type BenchFile = { readonly figures?: Readonly<Record<string, unknown>> }

/** The bench's own figures in place of ours, where its file has them. */
export function withBench(figures: Figures, file: unknown): Figures {
  const {
    search_cpu_ms: all,
    search_main_cpu_ms: main,
    search_properties: properties,
  } = (file as BenchFile | null)?.figures ?? {}
  if (!isCount(all) || !isCount(main) || !isCount(properties) || main <= figures.cpuFixedMs || all < main)
    return figures
  const cpuAskedMs = (main - figures.cpuFixedMs) / properties
  return {
    ...figures,
    cpuAskedMs,
    cpuReusedMs: figures.cpuReusedMs * (cpuAskedMs / figures.cpuAskedMs),
    cpuAsideAskedMs: (all - main) / properties + figures.cpuAsideReusedMs,
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0

/** `name=value` in place of a figure of the table. */
export function withSetting(figures: Figures, setting: string): Figures {
  const [name = '', text = ''] = setting.split('=', 2)
  const value = Number(text)
  if (!Object.hasOwn(ASSUMPTIONS, name)) throw new Error(`There is no figure ${name}; docs/scaling.md lists them.`)
  if (text.trim() === '' || !(value >= 0 && value < 1e15)) throw new Error(`${name} must be a number; it is "${text}".`)
  return { ...figures, [name]: value }
}
