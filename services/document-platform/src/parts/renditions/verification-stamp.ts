// What lets the paper prove itself: verification code, address and QR code as a part of the pages that are signed.
import { type AddedPage, type Appearance, drawAppearances, stampPages } from '@chancela/signature-engine/pades'
import { summarizePdf } from '@chancela/signature-engine/pdf'
import type { MarkPlace, RenditionLanguage } from './rendition-info.ts'
import { type SheetInfo, signatureSheets } from './signature-sheet.ts'
import { type Say, sayIn } from './texts.ts'

/** What a document is stamped with before anybody signs it. */
export interface VerificationStamp extends SheetInfo {
  /** Whether code and address stand at the foot of every page. */
  readonly footer: boolean
  /** Whether a sheet with both and with those who are to act is added behind the last page. */
  readonly sheet: boolean
  /** Where the sender wants the code besides. */
  readonly places: readonly MarkPlace[]
  /** Stamping again with the same gives the same bytes. Default: a new one. */
  readonly uuid?: string
}

/**
 * The PDF with its verification stamps. They are appended: the file begins with the very bytes that were given. Throws
 * what the engine throws; a document that somebody signed is `pades.locked`.
 */
export async function withVerificationStamp(
  pdf: Uint8Array,
  stamp: VerificationStamp,
  language: RenditionLanguage = 'pt',
): Promise<Buffer> {
  const say = sayIn(language)
  const onPages = [
    ...(stamp.footer ? footers(pdf, stamp, say) : []),
    ...stamp.places.map((at) => placed(at, stamp, say)),
  ]
  const sheets = stamp.sheet ? signatureSheets(stamp, say) : []
  const drawn = await drawAppearances([
    ...onPages.map(({ appearance }) => appearance),
    ...sheets.flatMap(({ appearances }) => appearances),
  ])
  const stamps = onPages.map(({ pages }, index) => ({ picture: drawn[index]!, pages }))
  let next = onPages.length
  const added = sheets.map(({ width, height, appearances }): AddedPage => {
    next += appearances.length
    return { width, height, pictures: drawn.slice(next - appearances.length, next) }
  })
  return stampPages(pdf, { stamps, added, ...(stamp.uuid !== undefined && { uuid: stamp.uuid }) })
}

interface OnPages {
  readonly appearance: Appearance
  readonly pages: readonly number[]
}

/** In points: the strip at the foot of a page, its distance from the edges, and the smallest page that gets one. */
const FOOTER = { height: 32, side: 28, bottom: 6, least: 160, fontSize: 6.5 } as const

/** One picture for all pages of one width. Nothing is painted under it: what the page says there stays to be read. */
function footers(pdf: Uint8Array, { key, verificationUrl }: VerificationStamp, say: Say): OnPages[] {
  const byWidth = new Map<number, number[]>()
  summarizePdf(pdf).pages.forEach(({ width, height }, index) => {
    const whole = Math.floor(width)
    if (whole >= FOOTER.least && height >= FOOTER.least) byWidth.set(whole, [...(byWidth.get(whole) ?? []), index + 1])
  })
  return [...byWidth].map(([width, pages]) => ({
    pages,
    appearance: {
      x: FOOTER.side,
      y: FOOTER.bottom,
      width: width - 2 * FOOTER.side,
      height: FOOTER.height,
      fontSize: FOOTER.fontSize,
      background: 'none',
      lines: [say('stamp.key', { key }), say('stamp.verify', { url: verificationUrl })],
      qrCode: verificationUrl,
    },
  }))
}

/** A stamp where the sender placed one. */
function placed(place: MarkPlace, { key, verificationUrl }: VerificationStamp, say: Say): OnPages {
  const { topLeftX, topLeftY, width, height, fontSize, pageNumber = 1 } = place
  return {
    pages: [pageNumber],
    appearance: {
      x: topLeftX,
      y: topLeftY,
      width,
      height,
      origin: 'top-left',
      beyond: 'moved',
      lines: [say('stamp.title'), say('stamp.key', { key }), say('stamp.verify', { url: verificationUrl })],
      border: true,
      ...(fontSize !== undefined && { fontSize }),
      ...(width >= 2 * height && { qrCode: verificationUrl }),
    },
  }
}
