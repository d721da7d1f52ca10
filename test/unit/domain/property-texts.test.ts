import { describe, expect, test } from 'vitest'
import { mergeTexts } from '../../../src/catalogue/properties/merge-texts.ts'
import { readableName } from '../../../src/catalogue/rooms/readable-name.ts'
import { createNotice } from '../../../src/domain/property/notices.ts'
import { extractTranslations, roomInLanguage } from '../../../src/domain/property/property-texts.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'

const room = {
  id: '1',
  name: 'Double Room',
  description: 'Quiet.',
  squareMeters: 20,
  squareFeet: 215,
  sleeps: 2,
  beds: ['1 double bed'],
  images: [],
  amenities: { '9': { id: '9', name: 'Balcony' } },
}
const english = aVendorProperty({ rooms: [room, { ...room, id: '2', name: 'Suite' }] })

describe('texts of a vendor in another language', () => {
  test('a translated text is kept only if it differs from the English one', () => {
    const translated = {
      ...english,
      description: '<p>Ein ruhiges Hotel.</p>',
      rooms: [{ ...room, name: 'Doppelzimmer' }, ...english.rooms.slice(1)],
    }
    expect(extractTranslations(english, translated, 'de')).toEqual({
      language: 'de',
      description: '<p>Ein ruhiges Hotel.</p>',
      rooms: { '1': { name: 'Doppelzimmer' } },
    })
  })

  test('an empty translation never replaces a text, and rooms missing in the English record are dropped', () => {
    const translated = {
      ...english,
      description: '',
      byeLine: '',
      rooms: [{ ...room, id: '3', name: 'Familienzimmer' }],
    }
    expect(extractTranslations(english, translated, 'de')).toEqual({ language: 'de', rooms: {} })
  })

  test('each notice is marked with its language', () => {
    const [fees, age] = [createNotice('fees', 'Fees', 'Parking: 10'), createNotice('check_in', 'Age', 'From 18.')]
    const german = createNotice('fees', 'Fees', 'Parken: 10')
    if (fees === undefined || age === undefined || german === undefined) throw new Error('no notices')
    const texts = extractTranslations(
      { ...english, notices: [fees, age] },
      { ...english, notices: [german, age] },
      'de',
    )
    expect(texts.notices?.map(({ text, language }) => [text, language])).toEqual([
      ['Parken: 10', 'de'],
      ['From 18.', 'en'],
    ])
  })

  test('a room has the language of each text, and its sizes and beds are unchanged', () => {
    const texts = { language: 'de', rooms: { '1': { description: 'Ruhig.' } } }
    expect(roomInLanguage(room, texts)).toEqual({
      ...room,
      description: 'Ruhig.',
      languages: { description: 'de', amenities: 'en' },
    })
    expect(roomInLanguage(room, undefined)).toEqual(room)
  })
})

test('the longest of several vendors’ texts is shown, or English if none has the text', () => {
  const { merged, languages } = mergeTexts(english, [
    { language: 'de', description: 'Kurz.', rooms: {} },
    { language: 'de', description: 'Etwas länger.', rooms: {} },
  ])
  expect([merged.description, merged.byeLine, merged.name]).toEqual(['Etwas länger.', 'Near the river', english.name])
  expect(languages).toEqual({ description: 'de', byeLine: 'en', amenities: 'en' })
})

describe('the name of a room type', () => {
  test('a room type is named without abbreviations if a vendor does so', () => {
    expect(readableName(['Dbl Std', 'Standard Double Room'])).toBe('Standard Double Room')
  })

  test('abbreviations in a room type are expanded if every vendor abbreviates', () => {
    expect(readableName(['Dbl Std SV'])).toBe('Double Standard Sea View')
    expect(readableName(['JR STE, Balcony'])).toBe('Junior Suite, Balcony')
    expect(readableName(['Suplex Loft'])).toBe('Suplex Loft')
  })
})
