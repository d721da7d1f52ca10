/** Default destination by time zone. */
export const NEAR: Record<string, string> = {
  'Europe/Paris': 'Lyon',
  'Europe/London': 'Edinburgh',
  'Europe/Berlin': 'Hamburg',
  'Europe/Madrid': 'Barcelona',
  'Europe/Rome': 'Bologna',
  'Asia/Tokyo': 'Kyoto',
  'Asia/Kolkata': 'Jaipur',
  'Australia/Sydney': 'Melbourne',
  'America/New_York': 'Boston',
  'America/Chicago': 'New Orleans',
  'America/Los_Angeles': 'San Francisco',
}

export const homeCity = (zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string => NEAR[zone] ?? 'Paris'

/** Suggested destinations, named by messages. */
export const IDEAS = ['lisbon', 'istanbul', 'kyoto', 'marrakesh', 'vienna', 'buenos_aires'] as const
