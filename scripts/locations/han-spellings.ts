import { requirePackage } from './sources/read-source.ts'

type Convert = (text: string) => string
type OpenCc = { Converter(options: { from: string; to: string }): Convert }

/** Loaded on first use, because the package is installed only for building the data file. */
function openConverters() {
  const { Converter } = requirePackage<OpenCc>('opencc-js')
  return {
    toSimplified: Converter({ from: 't', to: 'cn' }),
    toTraditional: Converter({ from: 'cn', to: 't' }),
    fromJapanese: Converter({ from: 'jp', to: 't' }),
    toJapanese: Converter({ from: 't', to: 'jp' }),
  }
}
let converters: ReturnType<typeof openConverters> | undefined

const HAN = /^[\p{Script=Han}\s-]+$/u

/** Spellings of a name in Han characters in China, Taiwan and Japan: 东京, 東京; 广岛, 廣島, 広島. */
export function listHanSpellings(name: string): string[] {
  if (!HAN.test(name)) return [name]
  converters ??= openConverters()
  const { toSimplified, toTraditional, fromJapanese, toJapanese } = converters
  const traditional = [toTraditional(name), fromJapanese(name)]
  return [...new Set([name, ...traditional, ...traditional.map(toSimplified), ...traditional.map(toJapanese)])]
}
