/** How a key came to stand for a place. */
export const NAME_KINDS = ['name', 'other_name', 'alias', 'code'] as const
export type NameKind = (typeof NAME_KINDS)[number]

/**
 * The ways a query can meet a place, and what each is worth, in thousandths of an importance point (one point
 * is ten times the population). `begins` counts when the query is the beginning of the key, `exact` is added
 * when it is the whole of it; `ceiling` is the most importance that counts before the key is complete.
 */
const MATCH_CLASSES = [
  { name: 'name', begins: 0, exact: 2000, ceiling: 60_000 },
  /** A later word of a name: "heathrow" in "London Heathrow Airport". */
  { name: 'word', begins: -1500, exact: 600, ceiling: 8000 },
  /** A later word that half the world's names share: "airport", "national park". */
  { name: 'generic_word', begins: -4000, exact: 0, ceiling: 60_000 },
  /** A second name that everybody knows: "Saigon". As good as the first when complete, weaker while it is typed. */
  { name: 'other_name', begins: -1000, exact: 3000, ceiling: 8500 },
  /** A name in some other language or spelling; the source does not say which, and a great city has a hundred. */
  { name: 'alias', begins: -1600, exact: 1600, ceiling: 6600 },
  /** An IATA airport or city code. Only the whole code means anything, so its beginning is worth little. */
  { name: 'code', begins: -3000, exact: 5000, ceiling: 60_000 },
] as const

export const NAME_CLASS = 0
export const WORD_CLASS = 1
export const GENERIC_WORD_CLASS = 2
export const OTHER_NAME_CLASS = 3
export const ALIAS_CLASS = 4
export const CODE_CLASS = 5

/** How a query met a place, in the words of the contract; the better one is the lesser number. */
export const GRADE = { exact: 0, beginning: 1, words: 2 } as const
export type Grade = (typeof GRADE)[keyof typeof GRADE]

export function gradeOf(matchClass: number, isExact: boolean): Grade {
  if (matchClass === WORD_CLASS || matchClass === GENERIC_WORD_CLASS) return GRADE.words
  return isExact ? GRADE.exact : GRADE.beginning
}

/** Added when the query is a complete word of a longer name: "san" is San Francisco rather than Santiago. */
export const COMPLETE_WORD = 500

/** Keeps every score positive, so that it fits an unsigned column. */
const SCORE_FLOOR = 5000

/** What a match that is not exact is worth. */
export function scoreOf(importance: number, matchClass: number): number {
  const worth = MATCH_CLASSES[matchClass]
  if (worth === undefined) return 0
  return Math.max(0, Math.min(importance, worth.ceiling) + SCORE_FLOOR + worth.begins)
}

/** What is added when the query is the whole key. Short names prove little: "van" is more often Vancouver than Van. */
export function exactBonus(matchClass: number, queryBytes: number): number {
  const bonus = MATCH_CLASSES[matchClass]?.exact ?? 0
  return matchClass === NAME_CLASS ? bonus * Math.min(1, (queryBytes - 1) / 4) : bonus
}
