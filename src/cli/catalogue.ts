import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Explanation } from '../catalogue/curate-matches.ts'

type Deps = {
  readonly catalogue: Pick<Catalogue, 'split' | 'join' | 'explain'>
  out(line: string): void
}

const USAGE = `serai catalogue explain PROPERTY_ID                       which vendors it consists of, and why
serai catalogue split PROPERTY_ID VENDOR_ID VENDOR_PROPERTY_ID   give one vendor's property an id of its own
serai catalogue join PROPERTY_ID OTHER_PROPERTY_ID        make two one; the first keeps its id`

/** Answers the exit code: 0 done, 1 not possible, 2 not understood. */
export async function catalogueCommand(args: string[], { catalogue, out }: Deps): Promise<number> {
  const [verb, propertyId, second, third, ...more] = args
  if (more.length === 0 && propertyId !== undefined) {
    if (verb === 'explain' && second === undefined) return explain(await catalogue.explain(propertyId), propertyId, out)
    if (verb === 'split' && second !== undefined && third !== undefined) {
      const split = await catalogue.split(propertyId, { vendorId: second, vendorPropertyId: third })
      return say(split.ok ? `${second}:${third} is ${split.propertyId} from now on.` : split.why, split.ok)
    }
    if (verb === 'join' && second !== undefined && third === undefined) {
      const joined = await catalogue.join(propertyId, second)
      return say(joined.ok ? `${second} leads to ${joined.propertyId} from now on.` : joined.why, joined.ok)
    }
  }
  out(USAGE)
  return 2

  function say(line: string, ok: boolean): number {
    out(line)
    return ok ? 0 : 1
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
  if (found.lookAlikes.length > 0) out('  look-alikes that were left apart:')
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

const DECIDED = { founder: 'brought it in', auto: 'matched', operator: 'put here by an operator' } as const
const percent = (score: number) => ` ${(score * 100).toFixed(1)} %`
const signed = (weight: number) => `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(2)}`
