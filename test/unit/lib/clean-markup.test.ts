import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanMarkup, plainLines, plainText } from '../../../src/lib/text/clean-markup.ts'

/** Removes the only tags that cleanMarkup may write. */
const withoutOwnTags = (html: string) => html.replace(/<\/?p>|<br>/g, '')

describe('cleanMarkup', () => {
  test('cleanMarkup keeps paragraphs and line breaks and removes every other tag', () => {
    expect(cleanMarkup('<div><strong>2 Beds</strong><br />Sea <em>view</em></div><p>Quiet</p>')).toBe(
      '<p>2 Beds<br>Sea view</p><p>Quiet</p>',
    )
  })

  test('cleanMarkup turns list items into lines', () => {
    expect(cleanMarkup('Fees: <ul><li>Deposit</li><li>Resort fee</li></ul>')).toBe(
      '<p>Fees:<br>Deposit<br>Resort fee</p>',
    )
  })

  test('cleanMarkup removes tags that are encoded as entities', () => {
    expect(cleanMarkup('Photo ID &lt;br />required&lt;script&gt;alert(1)&lt;/script&gt;')).toBe(
      '<p>Photo ID<br>required</p>',
    )
  })

  test('cleanMarkup removes the content of script and style, closed or not', () => {
    expect(cleanMarkup('a<script>steal()</script>b<style>p{}')).toBe('<p>ab</p>')
  })

  test('cleanMarkup escapes characters that start no tag', () => {
    expect(cleanMarkup(`5 < 6 & "7" > 'x'`)).toBe('<p>5 &lt; 6 &amp; &quot;7&quot; &gt; &#39;x&#39;</p>')
  })

  test('cleanMarkup removes an unfinished tag', () => {
    expect(cleanMarkup('Hotel <img src=x onerror=alert(1)')).toBe('<p>Hotel</p>')
  })

  test('cleanMarkup returns an empty string for blank text', () => {
    expect(['', ' \n', '<p></p>', '<!-- -->'].map(cleanMarkup)).toEqual(['', '', '', ''])
  })

  test('cleanMarkup never returns a tag other than <p> and <br>', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '</',
      '<p>',
      '<script',
      '&lt;',
      '&#60;',
      '&amp;lt;',
      '"',
      'a',
      ' ',
      '<!--',
      '-->',
      '=',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          expect(withoutOwnTags(cleanMarkup(text))).not.toMatch(/[<>]/)
        },
      ),
    )
  })

  test('cleaning time is linear in the length of the text', () => {
    const readers = [cleanMarkup, plainText, plainLines]
    for (const evil of ['<', '<script>', '<!--', '&#x', '</', '<a ', '<p', '&lt;script&gt;']) {
      for (const read of readers) {
        const before = process.threadCpuUsage()
        read(evil.repeat(50_000))
        expect(process.threadCpuUsage(before).user / 1000, `${read.name} of ${evil}`).toBeLessThan(3_000)
      }
    }
  })
})

describe('plainText', () => {
  test('plainText returns one line without markup in the original letters', () => {
    expect(plainText('  Hôtel <b>d’Or</b> &amp; Spa\n')).toBe('Hôtel d’Or & Spa')
    expect(plainText('Grand Hotel<script>alert(1)</script>')).toBe('Grand Hotel')
    expect(plainText('می‌خواهم')).toBe('می‌خواهم')
  })

  test('plainText removes characters that reverse or hide text', () => {
    expect(plainText('Inn\u202Eevil\u0000\u200B')).toBe('Inn evil')
  })

  test('plainText leaves nothing that could start a tag', () => {
    expect(plainText('</<<!')).not.toMatch(/<[a-zA-Z/!?]/)
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', 'a', '/', '!', '&', 'l', 't', ';', ' ') }), (text) => {
        expect(plainText(text)).not.toMatch(/<[a-zA-Z/!?]/)
      }),
      { numRuns: 2_000 },
    )
  })
})
