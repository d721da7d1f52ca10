import { AppError } from '../../domain/errors.ts'

/** The one of `offered` that the client likes best; the first where it does not care (RFC 9110, section 12.5.1). */
export function acceptedMedia<Media extends string>(accept: string | undefined, offered: readonly Media[]): Media {
  const liked = offered
    .map((media) => ({ media, weight: weightOf(media, accept ?? '*/*') }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  const [best] = liked
  if (best !== undefined) return best.media
  throw new AppError('not_acceptable', `This operation answers with ${offered.join(', ')}.`)
}

/** By the most specific of the ranges that hold the type. */
function weightOf(media: string, accept: string): number {
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
