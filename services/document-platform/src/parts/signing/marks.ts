import type { Appearance } from '@chancela/signature-engine/pades'
import type { Static } from 'typebox'
import type { Acting } from '../../actions/participants/participant-access.ts'
import type { Context } from '../../context.ts'
import type { Mark, SignaturePosition } from '../../contract/models.ts'
import { signersMarks } from '../../rules/authentication-stamps.ts'
import { zoneOffset } from '../renditions/moments.ts'
import type { MarkPlace, RenditionLanguage } from '../renditions/rendition-info.ts'
import { certificateMark, electronicMark } from '../renditions/signature-marks.ts'

type WirePosition = Static<typeof SignaturePosition> | Static<typeof Mark>

/** Content of a signature's marks, and the participant's positions where the sender gave none. */
interface MarkRequest {
  readonly kind: 'certificate' | 'electronic'
  readonly name: string
  readonly identifier: string | null
  readonly positions: readonly WirePosition[]
  readonly initials?: readonly WirePosition[]
  readonly timeZoneOffset: number | null | undefined
  /** PNG or JPEG. */
  readonly image?: Uint8Array | undefined
  readonly initialsImage?: Uint8Array | undefined
}

const drawers = { certificate: certificateMark, electronic: electronicMark } as const

/** The marks of a signature on a PDF, the signature's own first; empty when nobody placed one. */
export function marksOf(
  { settings, publicUrl }: Pick<Context, 'settings' | 'publicUrl'>,
  { document, options }: Acting,
  request: MarkRequest,
  now: Date,
): readonly Appearance[] {
  if (document.format !== 'Pades') return []
  const placed = signersMarks(options)
  const signatures = orElse(placed.filter(isSignature), request.positions)
  const initials = orElse(
    placed.filter((mark) => !isSignature(mark)),
    request.initials ?? [],
  )
  if (signatures.length === 0 && initials.length === 0) return []
  const language = (options.notificationLanguage ?? 'Pt').toLowerCase() as RenditionLanguage
  const timeZoneOffset = request.timeZoneOffset ?? zoneOffset(now, settings.Documents.DefaultTimeZone)
  const shown = {
    name: request.name,
    ...(request.identifier !== null && { identifier: request.identifier }),
    ...(request.image && { image: request.image }),
    signedAt: now,
    timeZoneOffset,
  }
  const verificationUrl = `${publicUrl}/validate/${document.key}`
  return [
    ...signatures.map((position) => {
      const place = placeOf(position)
      const mark = { ...shown, place, ...(hasRoomForCode(place) && { verificationUrl }) }
      return drawers[request.kind](mark, language)
    }),
    ...initials.map((position) => initialsMark(placeOf(position), request)),
  ]
}

const isSignature = ({ type }: { readonly type?: string | null }): boolean => type !== 'SignatureInitials'

const orElse = <T>(first: readonly T[], second: readonly T[]): readonly T[] => (first.length > 0 ? first : second)

function placeOf(position: WirePosition): MarkPlace {
  const { topLeftX, topLeftY, width, height, fontSize, pageNumber } = position
  const page = pageNumber ?? ('page' in position ? position.page : null)
  return { topLeftX, topLeftY, width, height, ...(page && { pageNumber: page }), ...(fontSize && { fontSize }) }
}

/** A code beside the text, where the text keeps the larger part of the box. */
const hasRoomForCode = ({ width, height }: MarkPlace): boolean => width >= 3 * height && height >= 40

function initialsMark(place: MarkPlace, { name, initialsImage }: MarkRequest): Appearance {
  return {
    page: place.pageNumber ?? 1,
    x: place.topLeftX,
    y: place.topLeftY,
    width: place.width,
    height: place.height,
    origin: 'top-left',
    beyond: 'moved',
    ...(initialsImage ? { image: initialsImage } : { lines: [initialsOf(name)] }),
  }
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
