import type { Appearance } from '@chancela/signature-engine/pades'
import { maskCpf } from './mask-cpf.ts'
import { momentText } from './moments.ts'
import type { MarkPlace, RenditionLanguage } from './rendition-info.ts'
import { sayIn } from './texts.ts'

/** What the visible mark of a signature shows. */
export interface SignatureMark {
  readonly place: MarkPlace
  readonly name: string
  /** CPF, eleven digits; shown masked. */
  readonly identifier?: string
  readonly signedAt: Date
  /** UTC offset of the signer's clock in minutes: −180 in Brasília. */
  readonly timeZoneOffset: number
  /** A PNG or a JPEG, such as the drawn signature. Default none. */
  readonly image?: Uint8Array
  /** Address in a QR code beside the text. Default none. */
  readonly verificationUrl?: string
}

/** The visible mark of a signature with the signer's certificate, for `drawAppearance`. */
export const certificateMark = (mark: SignatureMark, language: RenditionLanguage): Appearance =>
  appearanceOf('mark.certificate', mark, language)

/** The visible mark of an electronic signature, for `drawAppearance`. */
export const electronicMark = (mark: SignatureMark, language: RenditionLanguage): Appearance =>
  appearanceOf('mark.electronic', mark, language)

function appearanceOf(
  title: 'mark.certificate' | 'mark.electronic',
  { place, name, identifier, signedAt, timeZoneOffset, image, verificationUrl }: SignatureMark,
  language: RenditionLanguage,
): Appearance {
  const say = sayIn(language)
  const cpf = identifier === undefined ? undefined : maskCpf(identifier)
  const date = momentText(signedAt, language, timeZoneOffset)
  return {
    page: place.pageNumber ?? 1,
    x: place.topLeftX,
    y: place.topLeftY,
    width: place.width,
    height: place.height,
    origin: 'top-left',
    beyond: 'moved',
    lines: [say(title), name, ...(cpf === undefined ? [] : [say('mark.cpf', { cpf })]), say('mark.date', { date })],
    ...(place.fontSize !== undefined && { fontSize: place.fontSize }),
    ...(image && { image }),
    ...(verificationUrl !== undefined && { qrCode: verificationUrl }),
  }
}
