import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanMarkup, plainLines, plainText } from '../../../src/lib/text/clean-markup.ts'

/** What is left once the only two tags it may write are taken away holds no sign of another. */
const withoutOwnTags = (html: string) => html.replace(/<\/?p>|<br>/g, '')

describe('cleanMarkup', () => {
  test('keeps paragraphs and line breaks and loses every other tag', () => {
    expect(cleanMarkup('<div><strong>2 Beds</strong><br />Sea <em>view</em></div><p>Quiet</p>')).toBe(
      '<p>2 Beds<br>Sea view</p><p>Quiet</p>',
    )
  })

  test('list items become lines', () => {
    expect(cleanMarkup('Fees: <ul><li>Deposit</li><li>Resort fee</li></ul>')).toBe(
      '<p>Fees:<br>Deposit<br>Resort fee</p>',
    )
  })

  test('a tag hidden behind entities is a tag too', () => {
    expect(cleanMarkup('Photo ID &lt;br />required&lt;script&gt;alert(1)&lt;/script&gt;')).toBe(
      '<p>Photo ID<br>required</p>',
    )
  })

  test('script and style lose their content, closed or not', () => {
    expect(cleanMarkup('a<script>steal()</script>b<style>p{}')).toBe('<p>ab</p>')
  })

  test('signs that begin no tag are text and are escaped', () => {
    expect(cleanMarkup(`5 < 6 & "7" > 'x'`)).toBe('<p>5 &lt; 6 &amp; &quot;7&quot; &gt; &#39;x&#39;</p>')
  })

  test('an unfinished tag never survives', () => {
    expect(cleanMarkup('Hotel <img src=x onerror=alert(1)')).toBe('<p>Hotel</p>')
  })

  test('blank text is empty', () => {
    expect(['', ' \n', '<p></p>', '<!-- -->'].map(cleanMarkup)).toEqual(['', '', '', ''])
  })

  test('whatever comes in, nothing but <p> and <br> comes out', () => {
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

  test('time grows with the length of the text, not with its square', () => {
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
  test('a name is one line without markup, in its own letters', () => {
    expect(plainText('  Hôtel <b>d’Or</b> &amp; Spa\n')).toBe('Hôtel d’Or & Spa')
    expect(plainText('Grand Hotel<script>alert(1)</script>')).toBe('Grand Hotel')
    expect(plainText('می‌خواهم')).toBe('می‌خواهم')
  })

  test('characters that turn or hide text are gone', () => {
    expect(plainText('Inn\u202Eevil\u0000\u200B')).toBe('Inn evil')
  })

  test('nothing that could begin a tag is left', () => {
    expect(plainText('</<<!')).not.toMatch(/<[a-zA-Z/!?]/)
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', 'a', '/', '!', '&', 'l', 't', ';', ' ') }), (text) => {
        expect(plainText(text)).not.toMatch(/<[a-zA-Z/!?]/)
      }),
      { numRuns: 2_000 },
    )
  })
})
