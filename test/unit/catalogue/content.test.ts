import { describe, expect, test } from 'vitest'
import { mergeContent } from '../../../src/catalogue/properties/merge-content.ts'
import { derivePropertyId, isPropertyId } from '../../../src/catalogue/properties/property-id.ts'
import { boundContent } from '../../../src/catalogue/sync/bound-content.ts'
import { NO_RATINGS } from '../../../src/domain/property/property.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import { anImage, aVendorProperty } from './a-vendor-property.ts'

describe('a property id', () => {
  test('a property id is URL-safe, deterministic, and different for each vendor property', () => {
    const id = derivePropertyId('expedia_rapid', '42')
    expect(id).toBe('prp_5awa6wd55mmfk000')
    expect(isPropertyId(id)).toBe(true)
    expect(derivePropertyId('expedia_rapid', '42')).toBe(id)
    expect(derivePropertyId('hotelbeds', '42')).not.toBe(id)
    expect(derivePropertyId('expedia_rapid', '42', 1)).not.toBe(id)
  })

  test.each(['', 'prp_', 'prp_0123456789abcdeu', 'prp_0123456789abcdef0', 'PRP_0123456789abcdef', '../../etc'])(
    '"%s" is not a property id',
    (text) => expect(isPropertyId(text)).toBe(false),
  )
})

describe('hostile content', () => {
  test.each([
    ['no name', { name: '   ' }],
    ['no id', { vendorPropertyId: '' }],
    ['an id with a line break', { vendorPropertyId: '1\n2' }],
    ['a latitude beyond the pole', { location: { lat: 91, lon: 0 } }],
    ['a longitude that is not a number', { location: { lat: 1, lon: Number.NaN } }],
    ['the empty field 0,0', { location: { lat: 0, lon: 0 } }],
  ])('content with %s is rejected', (_words, some) => {
    expect(boundContent(aVendorProperty(some))).toBeUndefined()
  })

  test('oversized content is truncated, never inside a character', () => {
    const bounded = boundContent(
      aVendorProperty({
        name: '😀'.repeat(500),
        description: 'x'.repeat(1_000_000),
        images: Array.from({ length: 5_000 }, (_, n) => anImage(String(n))),
        starRating: Number.POSITIVE_INFINITY,
        reviewCount: -5,
        rooms: [],
      }),
    )
    expect(bounded?.name.length).toBeLessThanOrEqual(200)
    expect(bounded?.name.isWellFormed()).toBe(true)
    expect(JSON.stringify(bounded).length).toBeLessThan(60_000)
    expect(bounded?.starRating).toBe(0)
    expect(bounded?.reviewCount).toBe(0)
  })
})

describe('merged content', () => {
  const rich = aVendorProperty({
    vendorId: 'b',
    name: 'Rich',
    description: '<p>long long long</p>',
    images: [anImage('one'), anImage('two')],
    amenitySlugs: ['pool'],
  })
  const rated = aVendorProperty({
    vendorId: 'a',
    name: 'Rated',
    description: '',
    chain: 'Chain',
    reviewCount: 90,
    guestRatings: { ...NO_RATINGS, overall: 4.2, count: 90 },
    location: { lat: 1, lon: 1 },
  })

  test('merged content takes each field from the vendor with the most content', () => {
    const merged = mergeContent([rated, rich])
    expect(merged).toMatchObject({
      description: rich.description,
      images: rich.images,
      reviewCount: 90,
      guestRatings: { overall: 4.2 },
      chain: 'Chain',
      amenitySlugs: ['pool', 'wifi'],
    })
  })

  test('merged content keeps the location and name of its founder and is otherwise independent of the order', () => {
    const one = mergeContent([rated, rich])
    const other = mergeContent([rich, rated])
    expect(one).toMatchObject({ location: rated.location, name: rated.name })
    expect({ ...other, location: one.location, name: one.name }).toEqual(one)
  })
})

describe('a summary', () => {
  test('a summary has a few images, the main one first, and a short description without markup', () => {
    const images = Array.from({ length: 9 }, (_, n) => anImage(`i${n}`, n === 3))
    const summary = summarizeProperty(
      'prp_1',
      aVendorProperty({ images, description: `<p>${'word '.repeat(400)}</p>` }),
    )
    expect(summary.images.map(({ caption }) => caption)).toEqual(['i3', 'i0', 'i1', 'i2', 'i4'])
    expect(summary.description.length).toBeLessThanOrEqual(600)
    expect(summary.description).not.toContain('<')
    expect(summary).toMatchObject({ nameFolded: 'hotel bellevue', amenitySlugs: ['wifi'], starRating: 3 })
  })
})
