import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Explanation } from '../catalogue/curate-matches.ts'
import { auditVerbs } from './audited.ts'
import type { Command } from './command.ts'
import { withApp } from './with-app.ts'

type Deps = {
  readonly catalogue: Pick<Catalogue, 'split' | 'join' | 'explain' | 'rejudge' | 'rejudgeAgain' | 'twins'>
  out(line: string): void
}

const USAGE = `serai catalogue explain PROPERTY_ID                 shows which vendors' properties it joins, and why
serai catalogue split PROPERTY_ID VENDOR_ID VENDOR_PROPERTY_ID
                                                    gives one vendor's property its own id
serai catalogue join PROPERTY_ID OTHER_PROPERTY_ID  joins two properties; the first keeps its id
serai catalogue twins                               lists properties that a vendor sells under two numbers
serai catalogue rejudge [--again]                   matches all properties by the present rules; continues an interrupted
                                                    run, --again begins from the start`

export const catalogue: Command = {
  usage: USAGE,
  run: (args) =>
    withApp((app) =>
      auditVerbs(app.operator.audit, 'catalogue', ['split', 'join', 'rejudge'], args, () =>
        catalogueCommand(args, { catalogue: app.operator.catalogue, out: console.log }),
      ),
    ),
}

/** Returns the exit code: 0 done, 1 not possible, 2 wrong arguments. */
export async function catalogueCommand(args: string[], { catalogue, out }: Deps): Promise<number> {
  const [verb, propertyId, second, third, ...more] = args
  if (verb === 'twins' && propertyId === undefined) return twins(await catalogue.twins(TWINS_MAX), out)
  if (verb === 'rejudge' && second === undefined && (propertyId === undefined || propertyId === '--again'))
    return rejudge(catalogue, propertyId === '--again', out)
  if (more.length === 0 && propertyId !== undefined) {
    if (verb === 'explain' && second === undefined) return explain(await catalogue.explain(propertyId), propertyId, out)
    if (verb === 'split' && second !== undefined && third !== undefined) {
      const split = await catalogue.split(propertyId, { vendorId: second, vendorPropertyId: third })
      return say(split.ok ? `${second}:${third} now has the id ${split.propertyId}.` : split.why, split.ok)
    }
    if (verb === 'join' && second !== undefined && third === undefined) {
      const joined = await catalogue.join(propertyId, second)
      return say(joined.ok ? `${second} is now part of ${joined.propertyId}.` : joined.why, joined.ok)
    }
  }
  out(USAGE)
  return 2

  function say(line: string, ok: boolean): number {
    out(line)
    return ok ? 0 : 1
  }
}

const TWINS_MAX = 1_000

function twins(found: Awaited<ReturnType<Catalogue['twins']>>, out: (line: string) => void): number {
  if (found.length === 0) out('No vendor sells a property under two numbers.')
  for (const { vendor_id, vendor_property_id, property_id } of found)
    out(`${vendor_id}:${vendor_property_id} is a second entry of ${property_id}`)
  return 0
}

async function rejudge(catalogue: Deps['catalogue'], again: boolean, out: (line: string) => void): Promise<number> {
  if (again) await catalogue.rejudgeAgain()
  for (;;) {
    const progress = await catalogue.rejudge()
    if (progress === undefined) {
      out('Nothing to do: all properties were matched by these rules, or another process is doing it.')
      return 0
    }
    if (!progress.isDone) continue
    out(
      `Done: ${progress.joined} properties were joined with another one, ${progress.split} vendor properties were split off.`,
    )
    return 0
  }
}

function explain(found: Explanation | undefined, propertyId: string, out: (line: string) => void): number {
  if (found === undefined) {
    out(`There is no property ${propertyId}.`)
    return 1
  }
  out(found.propertyId)
  if (found.mergedInto !== undefined) out(`  was joined to ${found.mergedInto}`)
  for (const { ref, name, decidedBy, score, evidence } of found.links) {
    out(
      `  ${ref.vendorId}:${ref.vendorPropertyId}  "${name}"  ${DECIDED[decidedBy]}${decidedBy === 'auto' ? percent(score) : ''}`,
    )
    for (const { fact, weight } of evidence) out(`      ${signed(weight)}  ${fact}`)
  }
  if (found.lookAlikes.length > 0) out('  similar properties that were not joined:')
  for (const { propertyId: id, name, score, evidence } of found.lookAlikes) {
    out(
      `    ${id}  "${name}" ${percent(score)}: ${evidence
        .filter(({ weight }) => weight < 0)
        .map(({ fact }) => fact)
        .join(', ')}`,
    )
  }
  return 0
}

const DECIDED = { founder: 'first', auto: 'matched', operator: 'joined by an operator' } as const
const percent = (score: number) => ` ${(score * 100).toFixed(1)} %`
const signed = (weight: number) => `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(2)}`
