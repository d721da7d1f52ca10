import { NOTICE_TITLES } from '../domain/property/vocabulary.ts'
import type { Language } from './mail-texts.ts'

/** German titles by code, as on the page. */
const GERMAN: Readonly<Record<string, string>> = {
  card_on_file_at_the_property_up_to: 'Karte als Sicherheit in der Unterkunft, bis zu',
  check_in: 'Check-in',
  check_in_instructions: 'Hinweise zum Check-in',
  deposits: 'Anzahlungen',
  important_information: 'Wichtige Hinweise',
  know_before_you_go: 'Gut zu wissen',
  mandatory_fees: 'Pflichtgebühren',
  meals: 'Mahlzeiten',
  minimum_check_in_age: 'Mindestalter beim Check-in',
  optional_fees: 'Optionale Gebühren',
  payments_at_the_property: 'In der Unterkunft akzeptiert',
  policies: 'Hausregeln',
  promotions: 'Angebote',
  rate_comments: 'Hinweise zum Tarif',
  refundable_damage_deposit: 'Kaution (erstattbar)',
  remarks: 'Hinweise',
  service_fee: 'Servicegebühr',
  special_check_in_instructions: 'Besondere Hinweise zum Check-in',
  supplier: 'Anbieter',
  supplier_terms_conditions: 'Geschäftsbedingungen des Anbieters',
  taxes_and_fees: 'Steuern und Gebühren',
  trader: 'Gewerblicher Anbieter',
}

/** Title of a notice in the language of the mail; an unknown one stays as its vendor wrote it. */
export const translateNoticeTitle = (title: string, language: Language): string =>
  (language === 'de' && GERMAN[NOTICE_TITLES.find(title) ?? '']) || title
