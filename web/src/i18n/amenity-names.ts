import type { Locale } from '../browser/preferences.ts'

/** Unknown slugs are shown as text. */
const NAMES: Record<string, readonly [en: string, de: string]> = {
  free_parking: ['Free parking', 'Kostenlose Parkplätze'],
  parking: ['Parking', 'Parkplatz'],
  ev_charging: ['Electric car charging', 'Ladestation für E-Autos'],
  indoor_pool: ['Indoor pool', 'Hallenbad'],
  outdoor_pool: ['Outdoor pool', 'Außenpool'],
  pool: ['Pool', 'Pool'],
  wifi: ['Wi-Fi', 'WLAN'],
  breakfast: ['Breakfast', 'Frühstück'],
  restaurant: ['Restaurant', 'Restaurant'],
  bar: ['Bar', 'Bar'],
  room_service: ['Room service', 'Zimmerservice'],
  spa: ['Spa', 'Wellnessbereich'],
  fitness: ['Fitness centre', 'Fitnessraum'],
  air_conditioning: ['Air conditioning', 'Klimaanlage'],
  pets: ['Pets allowed', 'Haustiere erlaubt'],
  wheelchair: ['Wheelchair access', 'Rollstuhlgerecht'],
  family: ['Family rooms', 'Familienzimmer'],
  airport_shuttle: ['Airport shuttle', 'Flughafentransfer'],
  front_desk_24h: ['24-hour front desk', 'Rezeption rund um die Uhr'],
  elevator: ['Lift', 'Aufzug'],
  laundry: ['Laundry', 'Wäscheservice'],
  business: ['Business facilities', 'Tagungsräume'],
  beachfront: ['Beach', 'Strand'],
  kitchen: ['Kitchen', 'Küche'],
  balcony: ['Balcony', 'Balkon'],
  non_smoking: ['Non-smoking', 'Nichtraucher'],
  garden: ['Garden', 'Garten'],
  casino: ['Casino', 'Casino'],
  golf: ['Golf', 'Golf'],
  ski: ['Ski', 'Ski'],
}

export const amenityName = (slug: string, locale: Locale): string =>
  NAMES[slug]?.[locale === 'de' ? 1 : 0] ??
  slug.replaceAll('_', ' ').replace(/^\p{L}/u, (letter) => letter.toUpperCase())
