import { BOARDS, type Board, type Notice } from '../../domain/offer.ts'
import { createNotice } from '../../domain/property/notices.ts'
import { memoize } from '../../lib/async/memoize.ts'
import { foldText } from '../../lib/text/fold-text.ts'

/** Meal of one entry in a vendor's list. `some` is a meal without a constant of its own. */
export type Meal = 'all_inclusive' | 'full_board' | 'half_board' | 'breakfast' | 'lunch' | 'dinner' | 'some'

/** Combines entries into one board; `room_only` if none is a meal. */
export function combineMeals(meals: readonly (Meal | undefined)[]): Board {
  const has = (meal: Meal): boolean => meals.includes(meal)
  const main = has('lunch') || has('dinner')
  if (has('all_inclusive')) return 'all_inclusive'
  if (has('full_board') || (has('breakfast') && has('lunch') && has('dinner'))) return 'full_board'
  if (has('half_board') || (has('breakfast') && main)) return 'half_board'
  if (has('breakfast')) return 'breakfast'
  return main || has('some') ? 'some_meals' : 'room_only'
}

/** A meal for fewer persons than the room has guests is not that meal for the party. */
export const mealFor = (guests: number, meal: Meal | undefined, heads: number | undefined): Meal | undefined =>
  meal !== undefined && heads !== undefined && heads < guests ? 'some' : meal

/** Vendor's words for meals that no board describes; shown wherever the board is. */
export const mealNotice = (board: Board | undefined, words: readonly string[]): Notice | undefined =>
  board === 'some_meals' ? createNotice('rate_comment', 'Meals', [...new Set(words)].join(', ')) : undefined

const LEAST_FIRST: readonly Board[] = ['room_only', 'self_catering', 'some_meals', ...BOARDS]

/** Board that every room of a stay includes. */
export const leastBoard = (boards: readonly Board[]): Board | undefined =>
  LEAST_FIRST.find((board) => boards.includes(board))

/** Largest first, because "breakfast and dinner" contains both. Vendors write in the language of the response. */
const PHRASES: readonly (readonly [Meal, string])[] = [
  [
    'all_inclusive',
    'all inclusive|tout compris|todo incluido|tutto incluso|tudo incluido|alles inclusief|allt inkluderat|her sey dahil|' +
      'все включено|wszystko w cenie|オールインクルーシブ|全包|올인클루시브|شامل كليا',
  ],
  [
    'full_board',
    'full board|all meals|full pension|three meals|pension complete|vollpension|pension completa|pensione completa|' +
      'pensao completa|volpension|helpension|tam pansiyon|полныи пансион|pelne wyzywienie|plna penze|3食付き|三餐|全食宿',
  ],
  [
    'half_board',
    'half board|half pension|breakfast and dinner|breakfast dinner|breakfast and lunch|' +
      'dinner bed and breakfast|dinner and breakfast|dinner b b|demi pension|halbpension|' +
      'media pension|mezza pensione|meia pensao|halfpension|halvpension|yarim pansiyon|полупансион|polopenze|' +
      'polpensja|2食付き|早餐和晚餐|半食宿',
  ],
  [
    'breakfast',
    'breakfast|petit dejeuner|fruhstuck|desayuno|colazione|cafe da manha|pequeno almoco|ontbijt|morgenmad|frukost|' +
      'aamiainen|sniadanie|snidane|reggeli|kahvalti|завтрак|сніданок|πρωινο|فطور|افطار|bua sang|sarapan|' +
      '朝食|早餐|조식|아침|อาหารเช้า|esmorzar|mic dejun|ranajky|dorucak|zajtrk|morgunverd',
  ],
  ['lunch', 'lunch|mittagessen|almuerzo|pranzo|almoco|обед|昼食|午餐|점심|อาหารกลางวัน|bua trua'],
  [
    'dinner',
    'dinner|supper|abendessen|diner inclus|diner offert|cena inclu|cena grat|jantar|avondeten|ужин|夕食|晚餐|저녁|อาหารเย็น|bua toi',
  ],
  [
    'some',
    'meal|brunch|frokost|afternoon tea|repas|mahlzeit|comida|pasto|refeicao|maaltijd|yemek|питание|食事|用餐|식사',
  ],
]
const WORDS = PHRASES.map(([meal, words]) => [meal, words.split('|').map(foldText)] as const)

/** Phrases that exclude an included meal. */
const NOT_INCLUDED = (
  'credit|discount|surcharge|voucher|for a fee|extra cost|extra charge|not included|no meals|rabatt|ermäßigung|gutschein|' +
  'guthaben|gegen gebühr|gegen aufpreis|nicht inbegriffen|nicht enthalten|nicht inklusive|réduction|remise|supplément|' +
  'non inclus|non compris|descuento|sconto|buono|desconto|não inclu|korting|niet inbegrepen|скидк|ваучер|割引|クーポン|' +
  '折扣|优惠|할인|쿠폰'
)
  .split('|')
  .map(foldText)
/** Like NOT_INCLUDED, for words that also occur inside other words. */
const WHOLE_WORD = /\b(?:2 for 1\b|no incluid|(?:ohne|sans|sin|senza|sem|zonder)\b)/

/** The names of amenities are the same in most rates of a response. */
const CACHE_MAX = 2_000
const cachedMeal = memoize(CACHE_MAX, (text: string): Meal | 'none' => matchMeal(text) ?? 'none')

export function recognizeMeal(text: string): Meal | undefined {
  if (text === '' || text.length > 200) return undefined
  const meal = cachedMeal(text)
  return meal === 'none' ? undefined : meal
}

function matchMeal(text: string): Meal | undefined {
  const folded = foldText(text)
  if (WHOLE_WORD.test(folded) || NOT_INCLUDED.some((word) => folded.includes(word))) return undefined
  return WORDS.find(([, words]) => words.some((word) => folded.includes(word)))?.[0]
}

const NUMBER_WORDS = [
  'one uno una einen eine ein une un um een',
  'two dos due zwei deux dois duas twee',
  'three tres tre drei trois drie',
  'four cuatro quattro vier quatre quatro',
]
const NUMBERS = new Map(
  NUMBER_WORDS.flatMap((words, index) => words.split(' ').map((word) => [word, index + 1] as const)),
)
const NUMBER = `(\\d{1,2}|${[...NUMBERS.keys()].join('|')})`
const NOT_PERSONS = '(?! ?(?:\\d|nights?|days?|nachte?|tage?|nuits?|jours?|noches?|dias?|notti|giorni|noites?))'
const HEADS = [
  new RegExp(`\\b(?:for|fur|pour|para|per|voor) ${NUMBER}\\b${NOT_PERSONS}`),
  new RegExp(`\\b${NUMBER} (?:person|guest|adult|pax|people|gast|gaste|erwachsen|adulto|adulte|ospit|huesped|hospede)`),
  /(\d{1,2}) ?(?:人|名|位|份|명|인)/,
]
const EAST_ASIAN_HEADS = new Map([
  ['单早', 1],
  ['單早', 1],
  ['双早', 2],
  ['雙早', 2],
])

/** Number of persons that a meal is for ("Breakfast for 2"); undefined if the name has none: all guests. */
export function readHeads(text: string): number | undefined {
  for (const [word, heads] of EAST_ASIAN_HEADS) if (text.includes(word)) return heads
  const folded = foldText(text)
  for (const pattern of HEADS) {
    const [, count = ''] = pattern.exec(folded) ?? []
    const heads = NUMBERS.get(count) ?? Number(count)
    if (heads > 0) return heads
  }
  return undefined
}
