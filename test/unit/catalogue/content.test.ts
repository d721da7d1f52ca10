import { describe, expect, test } from 'vitest'
import { boundContent } from '../../../src/catalogue/bound-content.ts'
import { mergeContent } from '../../../src/catalogue/merge-content.ts'
import { isPropertyId, propertyIdFrom, propertyIdOf, writePropertyId } from '../../../src/catalogue/property-id.ts'
import { summaryRowOf } from '../../../src/catalogue/summary-json.ts'
import { NO_RATINGS } from '../../../src/domain/property.ts'
import { anImage, aVendorProperty } from './a-vendor-property.ts'

describe('a property id', () => {
  test('is safe in a URL, the same everywhere, and another one for another vendor property', () => {
    const id = propertyIdOf('expedia_rapid', '42')
    expect(id).toMatch(/^prp_[0-9a-z]{16}$/)
    expect(propertyIdOf('expedia_rapid', '42')).toBe(id)
    expect(propertyIdOf('hotelbeds', '42')).not.toBe(id)
    expect(propertyIdOf('expedia_rapid', '42', 1)).not.toBe(id)
  })

  test('survives being packed into ten bytes', () => {
    for (let n = 0; n < 500; n += 1) {
      const id = propertyIdOf('v', String(n))
      const bytes = new Uint8Array(13)
      expect(writePropertyId(id, bytes, 3)).toBe(true)
      expect(propertyIdFrom(bytes, 3)).toBe(id)
    }
  })

  test.each(['', 'prp_', 'prp_0123456789abcdeu', 'prp_0123456789abcdef0', 'PRP_0123456789abcdef', '../../etc'])(
    'is not "%s"',
    (text) => expect(isPropertyId(text)).toBe(false),
  )
})

describe('hostile content', () => {
  test.each([
    ['no name', { name: '   ' }],
    ['no id', { vendorPropertyId: '' }],
    ['an id with a line break', { vendorPropertyId: '1\n2' }],
    ['a latitude beyond the pole', { location: { lat: 91, lon: 0 } }],
    ['no number for a longitude', { location: { lat: 1, lon: Number.NaN } }],
    ['the empty field 0,0', { location: { lat: 0, lon: 0 } }],
  ])('with %s is left out', (_words, some) => {
    expect(boundContent(aVendorProperty(some))).toBeUndefined()
  })

  test('is cut to size, never inside a character', () => {
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

  test('takes each field from the vendor that has the most of it', () => {
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

  test('stays where its founder put it, and is otherwise the same in any order', () => {
    const one = mergeContent([rated, rich])
    const other = mergeContent([rich, rated])
    expect(one.location).toEqual(rated.location)
    expect({ ...other, location: one.location }).toEqual(one)
  })
})

describe('a summary', () => {
  test('is the specification’s static members, ready to stand in an object', () => {
    const images = Array.from({ length: 9 }, (_, n) => anImage(`i${n}`, n === 3))
    const row = summaryRowOf('prp_1', aVendorProperty({ images, description: `<p>${'word '.repeat(400)}</p>` }))
    const summary = JSON.parse(`{${row.summary},"total_price":1}`)
    expect(Object.keys(summary).sort()).toEqual(
      `bye_line category chain description guest_ratings hero_images images location name popular_amenities property_id
       review_count star_rating total_price`.split(/\s+/),
    )
    expect(summary.images).toHaveLength(5)
    expect(summary.hero_images).toEqual({
      hi: 'https://img.example/i3-hi.jpg',
      lo: 'https://img.example/i3-lo.jpg',
      med: 'https://img.example/i3-med.jpg',
    })
    expect(summary.images[0].caption).toBe('i3')
    expect(summary.description.length).toBeLessThanOrEqual(600)
    expect(summary.description).not.toContain('<')
    expect(row).toMatchObject({ name_folded: 'hotel bellevue', amenity_slugs: 'wifi', star_rating: 3 })
  })

  test('has empty picture addresses where there is no picture', () => {
    const summary = JSON.parse(`{${summaryRowOf('prp_1', aVendorProperty()).summary}}`)
    expect(summary.hero_images).toEqual({ hi: '', lo: '', med: '' })
    expect(summary.images).toEqual([])
  })
})
