import { describe, expect, test } from 'vitest'
import type { FeedOptions } from '../../../src/catalogue/sync/sync-feed.ts'
import { parseCatalogueCommand } from '../../../src/cli/commands/catalogue.ts'
import { parseContentCommand } from '../../../src/cli/commands/content.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { captureOutput } from '../../support/cli/capture-output.ts'

describe('serai catalogue', () => {
  const explanation = {
    propertyId: 'prp_a',
    mergedInto: undefined,
    links: [
      { ref: { vendorId: 'v', vendorPropertyId: '1' }, name: 'One', decidedBy: 'founder', score: 1, evidence: [] },
      {
        ref: { vendorId: 'w', vendorPropertyId: '2' },
        name: 'Uno',
        decidedBy: 'auto',
        score: 0.987,
        evidence: [{ fact: '35 m away', weight: 2.17 }],
      },
    ],
    lookAlikes: [
      { propertyId: 'prp_b', name: 'One II', score: 0.1, evidence: [{ fact: 'number in one name only', weight: -5 }] },
    ],
  } as const
  const catalogue = {
    explain: async (id: string) => (id === 'prp_a' ? explanation : undefined),
    split: async (id: string) =>
      id === 'prp_a'
        ? ({ ok: true, propertyId: 'prp_c' } as const)
        : ({ ok: false, why: 'There is no such thing.' } as const),
    join: async (keep: string) => ({ ok: true, propertyId: keep }) as const,
    twins: async () => [{ vendor_id: 'v', vendor_property_id: '9', property_id: 'prp_a', found_at: 0 }],
    rejudge: async () => {
      slices += 1
      return slices > 3 ? undefined : { joined: 2, split: 1, isDone: slices === 3 }
    },
    rejudgeAgain: async () => {
      slices = 0
    },
  }
  let slices = 0
  const run = (...args: string[]) => captureOutput(() => parseCatalogueCommand(args).work({ catalogue }))

  test('the explain command shows the records of a property, the evidence and the look-alikes', async () => {
    const { code, out } = await run('explain', 'prp_a')
    expect(code).toBe(0)
    expect(out).toContain('w:2  "Uno"  matched 98.7 %')
    expect(out).toContain('+2.17  35 m away')
    expect(out).toMatch(/prp_b {2}"One II" {2}10\.0 %\n +−5\.00 {2}number in one name only/)
  })

  test('split, join and explain print their result or the reason for a refusal', async () => {
    expect(await run('split', 'prp_a', 'w', '2')).toEqual({ code: 0, out: 'w:2 now has the id prp_c.', err: '' })
    expect(await run('split', 'prp_x', 'w', '2')).toEqual({ code: 1, out: '', err: 'There is no such thing.' })
    expect(await run('join', 'prp_a', 'prp_b')).toEqual({ code: 0, out: 'prp_b is now part of prp_a.', err: '' })
    expect(await run('explain', 'prp_x')).toEqual({ code: 1, out: '', err: 'There is no property prp_x.' })
  })

  test('the twins command lists duplicate entries of vendors', async () => {
    expect(await run('twins')).toEqual({ code: 0, out: 'v:9 is a second entry of prp_a', err: '' })
  })

  test('the rejudge command matches all properties again in slices and reports when there is nothing to do', async () => {
    const done = 'Done: 2 properties joined to another one, 1 vendor properties split off.'
    expect(await run('rejudge')).toMatchObject({ code: 0, out: done })
    expect((await run('rejudge')).out).toContain('Nothing to do')
    expect((await run('rejudge', '--again')).out).toBe(done)
  })
})

const STATUS = {
  vendorId: 'beta',
  properties: 12_345,
  dropped: 3,
  withoutRooms: 400,
  fullAt: undefined,
  freshAt: Date.parse('2027-01-15T12:00:00Z'),
  feed: { since: '', properties: 1_000, total: 4_000 },
  requestsToday: 12,
  requestsPerDay: 40,
  failure: 'beta: unavailable',
  nextAt: undefined,
  lateSince: undefined,
}

describe('serai content', () => {
  const vendors = [{ id: 'alpha' }, { id: 'beta' }] as unknown as readonly Vendor[]

  async function run(args: string[], fail?: string) {
    const bars: string[] = []
    const asked: unknown[] = []
    const syncFeed = async (vendor: Vendor, { since, onProgress }: FeedOptions) => {
      asked.push([vendor.id, since])
      const progress = (properties: number) => ({
        vendorId: vendor.id,
        properties,
        dropped: 2,
        total: 4_000,
        isResumed: true,
        startedAt: 0,
        isDone: true,
      })
      onProgress?.(progress(1_000))
      onProgress?.(progress(3_000))
      if (vendor.id === fail) throw new VendorError(vendor.id, 'unreachable', 'none')
      return progress(4_000)
    }
    const ended = await captureOutput(() =>
      parseContentCommand(args).work({
        catalogue: { syncFeed, contentStatus: async () => [STATUS] },
        vendors,
        status: (bar) => void bars.push(bar),
      }),
    )
    return { ...ended, bars, asked }
  }

  test('content status shows the number of properties, their age and the requests of today', async () => {
    const { code, out } = await run(['status'])
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        'beta: 12,345 properties (3 no longer offered by the vendor; rooms of 400 still to be read)',
        '  whole feed      never',
        '  last read       2027-01-15T12:00:00.000Z',
        '  being read      1,000 of 4,000, the whole feed',
        '  requests today  12 of 40',
        '  last failure    beta: unavailable',
      ],
    ])
  })

  test('content sync shows its progress and the result', async () => {
    const { code, out, bars, asked } = await run(['sync', '--vendor', 'beta', '--since', '2027-01-31'])
    expect(code).toBe(0)
    expect(asked).toEqual([['beta', '2027-01-31']])
    expect(bars).toContain(`beta [${'█'.repeat(23)}${'·'.repeat(7)}] 75 % 3,000`)
    expect(out).toContain('beta: continuing after 1,000 properties')
    expect(out).toMatch(/beta: 4,000 properties in 0 s, 2 left out/)
  })

  test('a failing vendor does not prevent content sync from reading the others', async () => {
    const { code, err, asked } = await run(['sync'], 'alpha')
    expect(code).toBe(1)
    expect(asked).toHaveLength(2)
    expect(err).toContain('alpha: unreachable. The content read so far is kept')
  })

  test('content sync rejects an unknown vendor and lists the configured ones', async () => {
    expect(await run(['sync', '--vendor', 'gamma'])).toMatchObject({
      code: 1,
      out: '',
      err: 'There is no vendor gamma. Known: alpha, beta',
      asked: [],
    })
  })
})
