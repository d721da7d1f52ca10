import { describe, expect, test } from 'vitest'
import { mergeTexts } from '../../../src/catalogue/properties/merge-texts.ts'
import { readableName } from '../../../src/catalogue/rooms/readable-name.ts'
import { noticeOf } from '../../../src/domain/property/notices.ts'
import { roomInLanguage, textsOf } from '../../../src/domain/property/property-texts.ts'
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

describe('what a vendor says in another language', () => {
  test('is kept only where it differs from its English words', () => {
    const told = {
      ...english,
      description: '<p>Ein ruhiges Hotel.</p>',
      rooms: [{ ...room, name: 'Doppelzimmer' }, ...english.rooms.slice(1)],
    }
    expect(textsOf(english, told, 'de')).toEqual({
      language: 'de',
      description: '<p>Ein ruhiges Hotel.</p>',
      rooms: { '1': { name: 'Doppelzimmer' } },
    })
  })

  test('never replaces a text by nothing, and leaves out rooms that the English record does not have', () => {
    const told = { ...english, description: '', byeLine: '', rooms: [{ ...room, id: '3', name: 'Familienzimmer' }] }
    expect(textsOf(english, told, 'de')).toEqual({ language: 'de', rooms: {} })
  })

  test('marks each notice with the language it is in', () => {
    const [fees, age] = [noticeOf('fees', 'Fees', 'Parking: 10'), noticeOf('check_in', 'Age', 'From 18.')]
    const german = noticeOf('fees', 'Fees', 'Parken: 10')
    if (fees === undefined || age === undefined || german === undefined) throw new Error('no notices')
    const texts = textsOf({ ...english, notices: [fees, age] }, { ...english, notices: [german, age] }, 'de')
    expect(texts.notices?.map(({ text, language }) => [text, language])).toEqual([
      ['Parken: 10', 'de'],
      ['From 18.', 'en'],
    ])
  })

  test('describes a room with the language of each text; sizes and beds stay', () => {
    const texts = { language: 'de', rooms: { '1': { description: 'Ruhig.' } } }
    expect(roomInLanguage(room, texts)).toEqual({
      ...room,
      description: 'Ruhig.',
      languages: { description: 'de', amenities: 'en' },
    })
    expect(roomInLanguage(room, undefined)).toEqual(room)
  })
})

test('of several vendors’ texts the longest is shown, and English where none has the text', () => {
  const { merged, languages } = mergeTexts(english, [
    { language: 'de', description: 'Kurz.', rooms: {} },
    { language: 'de', description: 'Etwas länger.', rooms: {} },
  ])
  expect([merged.description, merged.byeLine, merged.name]).toEqual(['Etwas länger.', 'Near the river', english.name])
  expect(languages).toEqual({ description: 'de', byeLine: 'en', amenities: 'en' })
})

describe('the name of a room type', () => {
  test('is one without abbreviations where a vendor has it', () => {
    expect(readableName(['Dbl Std', 'Standard Double Room'])).toBe('Standard Double Room')
  })

  test('has its abbreviations written out where no vendor does', () => {
    expect(readableName(['Dbl Std SV'])).toBe('Double Standard Sea View')
    expect(readableName(['JR STE, Balcony'])).toBe('Junior Suite, Balcony')
    expect(readableName(['Suplex Loft'])).toBe('Suplex Loft')
  })
})
