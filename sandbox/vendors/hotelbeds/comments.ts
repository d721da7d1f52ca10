import type { StandInSettings } from '../../server/settings.ts'
import type { VendorWorld, WorldProperty } from '../../world/contract.ts'
import { hash, hashShare } from '../../world/hash.ts'
import { readPage } from './answer-content.ts'
import { invalidData, type Reply, success } from './vendor-words.ts'

/** Texts written by hotels: amounts that are in no total, and limits that are in no field. */
const TEXTS = [
  'City tax 8.00 Euro per room and night, payable on arrival. Minimum check-in age 21. Car park: 15 EUR per day.',
  'Tasa turística no incluida: 3,50 € por persona y noche, a pagar en el hotel. Edad mínima de entrada: 18 años.',
  'Kurtaxe 2,80 EUR pro Person und Nacht vor Ort zu zahlen. Mindestalter 18 Jahre. Haustiere 12 EUR pro Nacht.',
  'Taxe de séjour de 5,20 € par adulte et par nuit à régler sur place. Âge minimum: 18 ans. Parking 20 €/jour.',
  'Deposit of USD 100.00 per stay, taken by card at check-in. <b>Adults only (16+)</b>. Not valid for residents.',
  'Tassa di soggiorno 4 EUR a persona a notte, da pagare in loco. Età minima per il check-in: 18 anni.',
  // As long as the text of a hotel that includes all its rules.
  `Tourist tax 2 EUR per night, payable on arrival.\n${'Rules of the pool: no diving, no glass, no music after 20:00. '.repeat(70)}\nEnd of the rules.`,
] as const

const hasComment = (property: WorldProperty, settings: Pick<StandInSettings, 'comments'>): boolean =>
  hashShare(property.key, 52) < settings.comments

/** Comment in checkrates and bookings: one text, the contract's comment after the general part. */
export function formatComment(
  property: WorldProperty,
  { rooms, room }: { readonly rooms: number; readonly room: string },
  settings: Pick<StandInSettings, 'comments'>,
): string {
  const general = `${rooms}x ${room}. Check-in hour ${property.checkInTime}.`
  return hasComment(property, settings) ? `${general} ${pickText(property)}` : general
}

const pickText = (property: WorldProperty) => TEXTS[hash(property.key, 53) % TEXTS.length] ?? ''

/** Comment reference in availability: an id to look up the comment, under the hotel's own contract. */
export const commentId = (
  property: WorldProperty,
  vendorPropertyId: number,
  settings: Pick<StandInSettings, 'comments'>,
) => (hasComment(property, settings) ? { rateCommentsId: `1|${vendorPropertyId}|0` } : {})

const FROM = '2020-01-01'
const UNTIL = '2099-12-31'

export type CommentAnswers = { list(query: URLSearchParams): Reply; details(query: URLSearchParams): Reply }

/** Comments in the content: a list by contract, and those of one rate on one day. */
export function createCommentAnswers(world: VendorWorld, settings: Pick<StandInSettings, 'comments'>): CommentAnswers {
  const listComments = (property: WorldProperty) =>
    hasComment(property, settings) ? [{ dateStart: FROM, dateEnd: UNTIL, description: pickText(property) }] : []
  return {
    // The world is too large to list completely. Only the first comments are listed; the others can be looked up.
    list(query) {
      const page = readPage(query)
      if ('status' in page) return page
      const { from, to } = page
      const listed = world.walk(0, LISTED_MAX).properties
      const rateComments = listed.slice(from - 1, to).map((property) => {
        const code = world.view(property)?.vendorPropertyId ?? 0
        const comments = listComments(property)
        const commentsByRates = comments.length === 0 ? [] : [{ rateCodes: [0], comments }]
        return { incoming: 1, hotel: code, code: String(code), commentsByRates }
      })
      return success({ from, to, total: listed.length, rateComments })
    },
    details(query) {
      const [incoming, code] = (query.get('code') ?? '').split('|')
      const date = query.get('date') ?? ''
      if (incoming === undefined || code === undefined || date === '') return invalidData('Invalid code or date')
      const property = world.byVendorId(Number(code))
      const rateComments = property === undefined || date < FROM || date > UNTIL ? [] : listComments(property)
      return success({ date, incoming: Number(incoming), code, rateCodes: ['0'], rateComments })
    },
  }
}

const LISTED_MAX = 1_000
