/** Relation of a key to its place. */
export const NAME_KINDS = ['name', 'other_name', 'alias', 'code'] as const
export type NameKind = (typeof NAME_KINDS)[number]

/**
 * Scores by match class, in thousandths of an importance point (one point is ten times the population). `begins` applies to a
 * prefix match, `exact` is added for the whole key, and `ceiling` caps the importance of a prefix match.
 */
const MATCH_CLASSES = [
  { name: 'name', begins: 0, exact: 2000, ceiling: 60_000 },
  /** A later word of a name: "heathrow" in "London Heathrow Airport". */
  { name: 'word', begins: -1500, exact: 600, ceiling: 8000 },
  /** A later word that many names share: "airport", "national park". */
  { name: 'generic_word', begins: -4000, exact: 0, ceiling: 60_000 },
  /** A well-known second name: "Saigon". As good as the first when complete, weaker as a prefix. */
  { name: 'other_name', begins: -1000, exact: 3000, ceiling: 8500 },
  /** A name in another language or spelling; the source does not say which, and a great city has a hundred. */
  { name: 'alias', begins: -1600, exact: 1600, ceiling: 6600 },
  /** An IATA airport or city code. Only the whole code is meaningful, so a prefix scores low. */
  { name: 'code', begins: -3000, exact: 5000, ceiling: 60_000 },
] as const

export const NAME_CLASS = 0
export const WORD_CLASS = 1
export const GENERIC_WORD_CLASS = 2
export const OTHER_NAME_CLASS = 3
export const ALIAS_CLASS = 4
export const CODE_CLASS = 5

/** Match quality; lower is better. */
export const MATCH_GRADE = { exact: 0, beginning: 1, words: 2 } as const
export type Grade = (typeof MATCH_GRADE)[keyof typeof MATCH_GRADE]

export function gradeMatch(matchClass: number, isExact: boolean): Grade {
  if (matchClass === WORD_CLASS || matchClass === GENERIC_WORD_CLASS) return MATCH_GRADE.words
  return isExact ? MATCH_GRADE.exact : MATCH_GRADE.beginning
}

/** Bonus if the query is a complete word of a longer name: "san" is San Francisco rather than Santiago. */
export const COMPLETE_WORD = 500

/** Keeps scores positive, because the column is unsigned. */
const SCORE_FLOOR = 5000

/** Score of a prefix match. */
export function scoreKey(importance: number, matchClass: number): number {
  const matchScore = MATCH_CLASSES[matchClass]
  if (matchScore === undefined) return 0
  return Math.max(0, Math.min(importance, matchScore.ceiling) + SCORE_FLOOR + matchScore.begins)
}

/** Bonus for the whole key. Short names prove little: "van" is more often Vancouver than Van. */
export function exactBonus(matchClass: number, queryBytes: number): number {
  const bonus = MATCH_CLASSES[matchClass]?.exact ?? 0
  return matchClass === NAME_CLASS ? bonus * Math.min(1, (queryBytes - 1) / 4) : bonus
}
