import { AppError } from '../../domain/errors.ts'

/** Content negotiation (RFC 9110, section 12.5.1). Ties go to the first of `offered`. */
export function chooseMediaType<Media extends string>(accept: string | undefined, offered: readonly Media[]): Media {
  const [best] = offered
    .map((media) => ({ media, weight: findWeight(media, accept ?? '*/*') }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  if (best !== undefined) return best.media
  throw new AppError('not_acceptable', `This operation returns ${offered.join(', ')}.`)
}

/** The most specific matching range decides. */
function findWeight(media: string, accept: string): number {
  const ranges = accept.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { range, weight: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  const names = [media, `${media.split('/')[0]}/*`, '*/*']
  for (const name of names) {
    const found = ranges.find(({ range }) => range === name)
    if (found !== undefined) return found.weight
  }
  return 0
}
