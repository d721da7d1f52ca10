import { zoneCity } from '../i18n/format.ts'
import { useI18n } from '../i18n/i18n.tsx'

/** "Lisbon time". The names of time zones are English, so other languages do not name the city. */
export function useZoneName(): (zone: string) => string {
  const { t, language } = useI18n()
  return (zone) => (language === 'en' ? t('time_in', { place: zoneCity(zone) }) : t('time_there'))
}
