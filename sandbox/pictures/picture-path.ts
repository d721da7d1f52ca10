import { drawPicture } from './draw-picture.ts'

/** Widths of the size folders that some vendors put before the path. */
const FOLDERS: Readonly<Record<string, number>> = { small: 74, medium: 117, bigger: 800, xl: 1024, xxl: 2048 }
const DEFAULT_WIDTH = 320
const PATH = /^\/?(?:([a-z]{2,8})\/)?(\d{1,10})\/([a-z]{1,12}(?:_[a-z0-9]{1,12}){0,2})\.svg$/

/**
 * Renders the picture at a path below `pictureBase`, in the two forms that vendors use: `{key}/{kind}.svg?w=350` or
 * `{size}/{key}/{kind}.svg`. Returns undefined for anything else.
 */
export function renderPicture(path: string): { readonly svg: string } | undefined {
  const [place = '', query = ''] = path.slice(0, 200).split('?', 2)
  const [, folder, key, kind] = PATH.exec(place) ?? []
  if (key === undefined || kind === undefined || Number(key) >= 2 ** 32) return undefined
  if (folder !== undefined && !Object.hasOwn(FOLDERS, folder)) return undefined
  const requested = Number(new URLSearchParams(query).get('w') ?? Number.NaN)
  const width = requested > 0 ? requested : (FOLDERS[folder ?? ''] ?? DEFAULT_WIDTH)
  return { svg: drawPicture(Number(key), kind, width) }
}
