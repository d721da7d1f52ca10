import { expect, onTestFinished, test, vi } from 'vitest'
import { createTabStorage } from '../../support/web/tab-storage.ts'

test('language and currency can be changed without local storage', async () => {
  vi.stubGlobal('localStorage', createTabStorage(0))
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { setPreferences, getPreferences } = await import('../../../web/src/browser/preferences.ts')
  setPreferences({ locale: 'de', currency: 'CHF' })
  expect(getPreferences()).toMatchObject({ locale: 'de', currency: 'CHF' })
})

test.each([
  [['fr-FR', 'fr'], 'en-GB', '01/12/2026'],
  [['ja-JP'], 'en-GB', '01/12/2026'],
  [['fr-FR', 'fr', 'en-US', 'en'], 'en-GB', '01/12/2026'],
  [['ja', 'en'], 'en-GB', '01/12/2026'],
  [['es-US', 'en-US'], 'en-US', '12/1/2026'],
  [['en-US', 'en'], 'en-US', '12/1/2026'],
])('a browser with the languages %j formats dates in English as %s', async (languages, locale, formatted) => {
  vi.stubGlobal('navigator', { languages, language: languages[0] })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { formattingLocale } = await import('../../../web/src/browser/preferences.ts')
  expect(formattingLocale('en')).toBe(locale)
  expect(new Intl.DateTimeFormat(formattingLocale('en')).format(new Date(2026, 11, 1))).toBe(formatted)
})
