import PDFDocument from 'pdfkit'
import { type Fonts, openFonts } from './fonts.ts'
import { type DocumentSection, type PrintedDocument, SIMULATED } from './printed-document.ts'
import { breakLines, cleanLine, shapeLine } from './shape-text.ts'

const PAGE = { margin: 42, width: 595.28, height: 841.89 } as const
const WIDTH = PAGE.width - 2 * PAGE.margin
const LABEL_WIDTH = 150
const LINE_HEIGHT = 1.35
const INK = '#1c2a30'
const FAINT = '#51636b'

type Style = { readonly size: number; readonly bold?: boolean; readonly colour?: string }
const HEADING: Style = { size: 12, bold: true }
const LABEL: Style = { size: 10, colour: FAINT }
const TEXT: Style = { size: 10 }

type Sheet = {
  readonly doc: InstanceType<typeof PDFDocument>
  readonly fonts: Fonts
  /** Widths of words measured so far. */
  readonly widths: Map<string, number>
  y: number
}

/** An A4 document with embedded font subsets. */
export async function documentPdf({ title, heading, ...content }: PrintedDocument): Promise<Buffer> {
  const fonts = await openFonts()
  const date = new Date(content.updatedAt)
  const info = { Title: title, CreationDate: date, ModDate: date, Creator: 'Serai', Producer: 'Serai' }
  // No default font: a standard one would not be embedded.
  const doc = new PDFDocument({ size: 'A4', margin: PAGE.margin, info, lang: 'en', font: '', autoFirstPage: false })
  const bytes = collect(doc)
  const sheet: Sheet = { doc, fonts, widths: new Map(), y: PAGE.margin }
  doc.addPage()
  await loadFonts(sheet, [heading, ...SIMULATED, ...content.sections.flatMap(sectionTexts)])
  write(sheet, heading, { size: 22, bold: true })
  if (content.isSimulated) write(sheet, SIMULATED.join('\n'), { ...TEXT, bold: true })
  for (const section of content.sections) writeSection(sheet, section)
  doc.end()
  return bytes
}

const sectionTexts = ({ title, facts, text = '', url = '' }: DocumentSection) => [title, ...facts.flat(), text, url]

function collect(doc: Sheet['doc']): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const done = Promise.withResolvers<Buffer>()
  doc.on('data', (part: Uint8Array) => void parts.push(part))
  doc.on('end', () => done.resolve(Buffer.concat(parts)))
  doc.on('error', done.reject)
  return done.promise
}

const fontName = (face: number) => `face${face}`

/** Loads all fonts before the first text is measured. */
async function loadFonts({ doc, fonts }: Sheet, texts: readonly string[]): Promise<void> {
  const faces = new Set<number>()
  for (const text of texts.flatMap((paragraphs) => paragraphs.split('\n')))
    for (const bold of [false, true])
      for (const { face } of shapeLine(cleanLine(text), fonts, bold).runs) faces.add(face)
  for (const face of faces) doc.registerFont(fontName(face), Buffer.from(await fonts.read(face)))
}

function writeSection(sheet: Sheet, { title, facts, text, url }: DocumentSection): void {
  sheet.y += 9
  turnPageFor(sheet, 3 * HEADING.size)
  write(sheet, title, HEADING)
  for (const [label, value] of facts) {
    turnPageFor(sheet, TEXT.size * 2)
    const { y } = sheet
    write(sheet, label, LABEL)
    sheet.y = y
    write(sheet, value, TEXT, PAGE.margin + LABEL_WIDTH)
  }
  if (text !== undefined) write(sheet, text, TEXT)
  if (url !== undefined) write(sheet, url, LABEL)
}

/** Writes lines from `x` to the right margin. */
function write(sheet: Sheet, text: string, style: Style, x: number = PAGE.margin): void {
  const width = PAGE.margin + WIDTH - x
  for (const paragraph of text.split('\n')) {
    for (const line of breakLines(cleanLine(paragraph), width, (part) => measureText(sheet, part, style)))
      writeLine(sheet, line, style, x, width)
  }
}

function writeLine(sheet: Sheet, line: string, style: Style, left: number, width: number): void {
  const { doc, fonts } = sheet
  turnPageFor(sheet, style.size * LINE_HEIGHT)
  const { runs, rtl } = shapeLine(line, fonts, style.bold)
  // A value is aligned with its label, in either direction.
  let x = rtl && left === PAGE.margin ? left + width - measureText(sheet, line, style) : left
  for (const { text, face } of runs) {
    doc
      .font(fontName(face))
      .fontSize(style.size)
      .fillColor(style.colour ?? INK)
    // One baseline, however far a font's ascenders reach.
    doc.text(text, x, sheet.y + style.size, { lineBreak: false, baseline: 'alphabetic' })
    x += doc.widthOfString(text)
  }
  sheet.y += style.size * LINE_HEIGHT
}

function measureText({ doc, fonts, widths }: Sheet, text: string, { size, bold }: Style): number {
  const key = `${size} ${bold} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  const width = shapeLine(text, fonts, bold).runs.reduce(
    (sum, run) => sum + doc.font(fontName(run.face)).fontSize(size).widthOfString(run.text),
    0,
  )
  widths.set(key, width)
  return width
}

function turnPageFor(sheet: Sheet, height: number): void {
  if (sheet.y + height <= PAGE.height - PAGE.margin) return
  sheet.doc.addPage()
  sheet.y = PAGE.margin
}
