import type { WorldProperty } from '../../world/contract.ts'
import { hash, itemAt } from '../../world/hash.ts'

/** Texts as properties write them: clean HTML, broken HTML, escaped twice, very long, or missing. */
const MANDATORY = [
  '<p>To be paid on the spot:</p><ul><li>Resort fee: EUR 14 per room and night</li><li>Deposit: EUR 60 per stay</li></ul>',
  'Cleaning fee: EUR 35 per stay</li><li>Bed linen: EUR 8 per person</li></ul>',
  '&lt;p&gt;A local tax of 2 % is collected at the desk.&lt;/p&gt;',
] as const
const OPTIONAL = [
  '<ul><li>Breakfast: EUR 16 per adult</li><li>Parking: EUR 22 per night</li><li>Pets: EUR 10 per pet, per night</li></ul>',
  'Late check-out for a fee (on request)<br />Airport transfer: EUR 45 each way',
] as const
const INSTRUCTIONS = [
  '<ul><li>An identity document and a payment card may be asked for</li><li>Extra guests may be charged for</li></ul>',
  'Arrivals after 22:00: please call ahead.&lt;br /&gt;Special requests cannot be guaranteed.',
] as const
const SPECIAL = ['There is no reception. The code of the door is sent three days before arrival.'] as const
const RULE = 'Quiet hours are from 22:00 to 7:00. Smoking is not allowed anywhere inside. '
const KNOW = [
  '<ul><li>No lift</li><li>Children under 6 stay free in existing beds</li><li>The pool is closed in winter</li></ul>',
  'Only registered guests may stay. </li><li>Parties are not allowed. </li> </ul>',
  // Longer than the longest recorded text.
  `<p>${RULE.repeat(90)}</p><p>These are all rules of this property.</p>`,
] as const

/** German translations of the texts, in the same order. */
const GERMAN: ReadonlyMap<readonly string[], readonly string[]> = new Map<readonly string[], readonly string[]>([
  [
    MANDATORY,
    [
      '<p>Vor Ort zu zahlen:</p><ul><li>Resortgebühr: EUR 14 pro Zimmer und Nacht</li><li>Kaution: EUR 60 pro Aufenthalt</li></ul>',
      'Endreinigung: EUR 35 pro Aufenthalt</li><li>Bettwäsche: EUR 8 pro Person</li></ul>',
      '&lt;p&gt;An der Rezeption wird eine Ortstaxe von 2 % erhoben.&lt;/p&gt;',
    ],
  ],
  [
    OPTIONAL,
    [
      '<ul><li>Frühstück: EUR 16 pro Erwachsenem</li><li>Parken: EUR 22 pro Nacht</li><li>Haustiere: EUR 10 pro Tier und Nacht</li></ul>',
      'Späte Abreise gegen Aufpreis (auf Anfrage)<br />Flughafentransfer: EUR 45 pro Strecke',
    ],
  ],
  [
    INSTRUCTIONS,
    [
      '<ul><li>Ein Ausweis und eine Zahlungskarte können verlangt werden</li><li>Weitere Gäste können Aufpreis kosten</li></ul>',
      'Bei Ankunft nach 22:00 Uhr bitte vorher anrufen.&lt;br /&gt;Sonderwünsche können nicht garantiert werden.',
    ],
  ],
  [SPECIAL, ['Es gibt keine Rezeption. Der Türcode kommt drei Tage vor der Anreise.']],
  [
    KNOW,
    [
      '<ul><li>Kein Aufzug</li><li>Kinder unter 6 Jahren schlafen kostenlos in vorhandenen Betten</li><li>Der Pool ist im Winter geschlossen</li></ul>',
      'Nur angemeldete Gäste dürfen übernachten. </li><li>Feiern sind nicht erlaubt. </li> </ul>',
      `<p>${'Die Ruhezeit ist von 22:00 bis 7:00 Uhr. Rauchen ist in allen Räumen verboten. '.repeat(90)}</p><p>Das sind alle Regeln dieser Unterkunft.</p>`,
    ],
  ],
])

/** One of the texts; undefined for a third of the properties. */
function pickText(property: WorldProperty, english: readonly string[], salt: number, isGerman: boolean) {
  const texts = (isGerman && GERMAN.get(english)) || english
  const draw = hash(property.key, salt)
  return draw % 3 === 0 ? undefined : itemAt(texts, draw >>> 4)
}

/** Guest information in Rapid's content; a group without any text is omitted. */
export function contentTexts(property: WorldProperty, isGerman: boolean) {
  const fees = omitUndefined({
    mandatory: pickText(property, MANDATORY, 61, isGerman),
    optional: pickText(property, OPTIONAL, 62, isGerman),
  })
  const know_before_you_go = pickText(property, KNOW, 63, isGerman)
  return {
    ...(Object.keys(fees).length > 0 && { fees }),
    ...(know_before_you_go !== undefined && { policies: { know_before_you_go } }),
    onsite_payments: {
      currency: 'EUR',
      types: { '189': { id: '189', name: 'Visa' }, '184': { id: '184', name: 'Mastercard' } },
    },
  }
}

export const checkInTexts = (property: WorldProperty, isGerman: boolean) =>
  omitUndefined({
    instructions: pickText(property, INSTRUCTIONS, 64, isGerman),
    special_instructions: pickText(property, SPECIAL, 65, isGerman),
  })

const omitUndefined = (texts: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined))

/** Promotions and damage deposits, on some rates. */
export function rateTexts(
  property: WorldProperty,
  rate: { readonly nightlyBeforeMinor?: unknown },
  room: number,
  isGerman: boolean,
) {
  const [early, drink] = isGerman
    ? ['Früh buchen, weniger zahlen', 'Ein Getränk an der Bar für jeden Gast &amp; Aufenthalt']
    : ['Book early, pay less', 'A drink at the bar for each guest &amp; stay']
  const deal = rate.nightlyBeforeMinor === undefined ? {} : { deal: { id: `9${room}`, description: early } }
  const value_adds =
    hash(property.key, room, 66) % 4 === 0 ? { value_adds: { '7': { id: '7', description: drink } } } : {}
  const promotions = { ...deal, ...value_adds }
  return {
    ...(Object.keys(promotions).length > 0 && { promotions }),
    ...(hash(property.key, 67) % 9 === 0 && { refundable_damage_deposit: { value: '150.00', currency: 'EUR' } }),
  }
}

const EU_COUNTRIES = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** Seller information, as required by European law. */
export function traderTexts(property: WorldProperty) {
  const { countryCode, name } = property.place
  if (!EU_COUNTRIES.has(countryCode)) return {}
  return {
    trader_information: {
      traders: [
        {
          name: `${property.name} GmbH & Co.`,
          address: { line_1: '1 Harbour Road', city: name, country_code: countryCode },
          business_register_name: 'Register of companies',
          business_register_number: String(100_000 + (property.key % 900_000)),
          self_certification: true,
          right_to_withdraw_message: 'A stay on fixed dates\ncannot be withdrawn from.',
        },
      ],
      terms_and_conditions: 'https://terms.example/stays',
    },
  }
}
