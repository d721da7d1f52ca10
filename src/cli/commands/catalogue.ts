import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Explanation } from '../../catalogue/matching/curate-matches.ts'
import { runWithAudit } from '../audited.ts'
import { type Command, print, sanitize } from '../command.ts'
import { type ParsedCommand, readVerb } from '../read-verb.ts'
import { withApp } from '../with-app.ts'

type Deps = {
  readonly catalogue: Pick<Catalogue, 'split' | 'join' | 'explain' | 'rejudge' | 'rejudgeAgain' | 'twins'>
}

const USAGE = `serai catalogue explain PROPERTY_ID                 shows which vendors' properties it joins, and why
serai catalogue split PROPERTY_ID VENDOR_ID VENDOR_PROPERTY_ID
                                                    gives one vendor's property its own id
serai catalogue join PROPERTY_ID OTHER_PROPERTY_ID  joins two properties; the first keeps its id
serai catalogue twins                               lists properties that a vendor sells under two ids
serai catalogue rejudge [--again]                   matches all properties by the current rules; resumes an interrupted
                                                    run, --again starts over`

const VERBS = {
  explain: 'PROPERTY_ID',
  split: 'PROPERTY_ID VENDOR_ID VENDOR_PROPERTY_ID',
  join: 'PROPERTY_ID OTHER_PROPERTY_ID',
  twins: '',
  rejudge: '--again',
}
const CHANGING = ['split', 'join', 'rejudge']

export const catalogueCommand: Command = {
  usage: USAGE,
  async run(args) {
    const order = parseCatalogueCommand(args)
    return withApp(({ operator: { audit, catalogue } }) =>
      runWithAudit(audit, 'catalogue', CHANGING, order, { catalogue }),
    )
  },
}

export function parseCatalogueCommand(args: string[]): ParsedCommand<Deps> {
  const { verb, words, values } = readVerb(args, VERBS, { again: { type: 'boolean' } })
  const [id = '', second = '', third = ''] = words
  const works: Record<typeof verb, ParsedCommand<Deps>['work']> = {
    explain: async ({ catalogue }) => explain(await catalogue.explain(id), id),
    async split({ catalogue }) {
      const split = await catalogue.split(id, { vendorId: second, vendorPropertyId: third })
      return split.ok ? print(`${second}:${third} now has the id ${split.propertyId}.`, 0) : print(split.why, 1)
    },
    async join({ catalogue }) {
      const joined = await catalogue.join(id, second)
      return joined.ok ? print(`${second} is now part of ${joined.propertyId}.`, 0) : print(joined.why, 1)
    },
    twins: async ({ catalogue }) => twins(await catalogue.twins(TWINS_MAX)),
    rejudge: ({ catalogue }) => rejudge(catalogue, values.again === true),
  }
  return { verb, words, work: works[verb] }
}

const TWINS_MAX = 1_000

function twins(found: Awaited<ReturnType<Catalogue['twins']>>): number {
  if (found.length === 0) console.log('No vendor sells a property under two ids.')
  for (const { vendor_id, vendor_property_id, property_id } of found)
    console.log(`${vendor_id}:${vendor_property_id} is a second entry of ${property_id}`)
  return 0
}

async function rejudge(catalogue: Deps['catalogue'], again: boolean): Promise<number> {
  if (again) await catalogue.rejudgeAgain()
  for (;;) {
    const progress = await catalogue.rejudge()
    if (progress === undefined) {
      return print('Nothing to do: all properties match the current rules, or another process is matching them.', 0)
    }
    if (!progress.isDone) continue
    return print(
      `Done: ${progress.joined} properties joined to another one, ${progress.split} vendor properties split off.`,
      0,
    )
  }
}

function explain(found: Explanation | undefined, propertyId: string): number {
  if (found === undefined) return print(`There is no property ${sanitize(propertyId)}.`, 1)
  console.log(found.propertyId)
  if (found.mergedInto !== undefined) console.log(`  was joined to ${found.mergedInto}`)
  for (const { ref, name, decidedBy, score, evidence } of found.links) {
    console.log(
      `  ${ref.vendorId}:${ref.vendorPropertyId}  "${name}"  ${DECIDED[decidedBy]}${decidedBy === 'auto' ? percent(score) : ''}`,
    )
    printEvidence(evidence)
  }
  if (found.lookAlikes.length > 0) console.log('  similar properties that were not joined:')
  for (const { propertyId: id, name, score, evidence } of found.lookAlikes) {
    console.log(`    ${id}  "${name}" ${percent(score)}`)
    printEvidence(evidence)
  }
  return 0
}

function printEvidence(evidence: Explanation['links'][number]['evidence']): void {
  for (const { fact, weight } of evidence) console.log(`      ${signed(weight)}  ${fact}`)
}

const DECIDED = { founder: 'first', auto: 'matched', operator: 'joined by an operator' } as const
const percent = (score: number) => ` ${(score * 100).toFixed(1)} %`
const signed = (weight: number) => `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(2)}`
