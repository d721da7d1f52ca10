import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { redactHeaders } from './redact.ts'
import type { Evidence, Exchange, ReviewPoint, Verdict } from './review.ts'

export type Judged = Pick<ReviewPoint, 'id' | 'area' | 'title'> & { readonly verdict: Verdict }

/** A point whose judge throws is missing too. */
export const judgePoints = (points: readonly ReviewPoint[], evidence: Evidence): Judged[] =>
  points.map(({ id, area, title, judge: judgePoint }) => ({
    id,
    area,
    title,
    verdict: judgeSafely(judgePoint, evidence),
  }))

function judgeSafely(judgePoint: ReviewPoint['judge'], evidence: Evidence): Verdict {
  try {
    return judgePoint(evidence)
  } catch (error) {
    return { missing: `the evidence could not be read (${error instanceof Error ? error.message : String(error)})` }
  }
}

export const isPassed = (judged: readonly Judged[]): boolean => judged.every(({ verdict }) => !('missing' in verdict))

type DossierParts = {
  readonly vendorId: string
  readonly host: string
  readonly playedAt: string
  readonly evidence: Evidence
  readonly judged: readonly Judged[]
  readonly screenshots: readonly string[] | string
  redact(text: string): string
}

/** Longer responses are cut, because mail cannot carry them. */
const ANSWER_MAX = 200_000

/** Writes every exchange, everything shown, and the checklist, all redacted. */
export function writeDossier(folder: string, parts: DossierParts): void {
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), parts.redact(text))
  }
  for (const exchange of parts.evidence.exchanges) write(exchange.file, exchangeText(exchange))
  for (const { file, body } of parts.evidence.shown)
    write(file, typeof body === 'string' ? body : JSON.stringify(body, null, 2))
  write('checklist.md', checklist(parts))
  write('checklist.json', JSON.stringify({ vendor: parts.vendorId, host: parts.host, points: parts.judged }, null, 2))
}

function exchangeText({ method, path, headers, body, status, answer, fault }: Exchange): string {
  const sent = Object.entries(redactHeaders(headers)).map(([name, value]) => `${name}: ${value}`)
  const response = typeof answer === 'string' ? answer : JSON.stringify(answer ?? null, null, 1)
  const cut =
    response.length > ANSWER_MAX ? `${response.slice(0, ANSWER_MAX)}\n… ${response.length - ANSWER_MAX} more` : response
  return [
    `${method} ${path}`,
    ...sent,
    '',
    ...(body === undefined ? [] : [JSON.stringify(body, null, 2), '']),
    '----',
    status === undefined ? `No answer: ${fault}` : `HTTP ${status}`,
    '',
    ...(status === undefined ? [] : [cut]),
  ].join('\n')
}

function checklist({ vendorId, host, playedAt, judged, screenshots }: DossierParts): string {
  const areas = [...new Set(judged.map(({ area }) => area))]
  const rows = (area: string) =>
    judged
      .filter((point) => point.area === area)
      .map(({ title, verdict }) => `| ${title} | ${formatVerdict(verdict)} |`)
  return [
    `# ${vendorId}: checklist`,
    '',
    `Played at ${host}, ${playedAt}. Secrets and guests are redacted.`,
    '',
    ...areas.flatMap((area) => [`## ${area}`, '', '| point | evidence |', '|---|---|', ...rows(area), '']),
    '## Screenshots',
    '',
    ...(typeof screenshots === 'string' ? [screenshots] : screenshots.map((file) => `- [${file}](${file})`)),
    '',
  ].join('\n')
}

const FILES_MAX = 4

export function formatVerdict(verdict: Verdict): string {
  if ('missing' in verdict) return `**missing**: ${verdict.missing}`
  if ('notSent' in verdict) return `nothing to show: ${verdict.notSent}`
  const links = verdict.files.slice(0, FILES_MAX).map((file) => `[${file}](${file})`)
  const more = verdict.files.length - links.length
  return [...links, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
