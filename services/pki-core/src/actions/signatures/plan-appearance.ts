// What a signature shows, from the words of the request to points on a page (pki-core facts 4.4).
import type { PrepareRequest } from '../../contract/signatures.ts'
import type { VisualRepresentationRequest } from '../../contract/visual-representation.ts'
import type { PdfPlan } from '../../parts/signing/signature-plan.ts'
import { refuse } from '../../rules/refuse.ts'
import { boxIn, type PlacedSignature, type PositionedDocument, placeSignature } from '../../rules/visual-position.ts'
import { filledText, signingTimeLine } from '../../rules/visual-text.ts'
import type { PlanInput } from './plan-signature.ts'

type PdfOptions = NonNullable<PrepareRequest['pdfSignatureOptions']>

export async function planAppearance(
  representation: VisualRepresentationRequest,
  { measurementUnits, pageOptimization }: PdfOptions,
  input: PlanInput,
  document: PositionedDocument,
): Promise<Pick<PdfPlan, 'appearance' | 'image' | 'newPage'>> {
  const defaults = { units: measurementUnits ?? undefined, optimization: pageOptimization ?? undefined }
  const placed = placeSignature(representation.position, defaults, document)
  const text = textOf(representation, placed, input)
  const picture = await pictureOf(representation, input)
  if (text.lines.length === 0 && !representation.text?.includeSigningTime && !picture)
    throw refuse('InvalidVisualRepresentation', { reason: 'It has neither text nor image.' })
  const { page, box, newPage } = placed
  return {
    appearance: { page, ...box, ...text, ...(picture && { behind: picture.behind }) },
    ...(picture && { image: picture.digest }),
    ...(newPage && { newPage }),
  }
}

function textOf({ text }: VisualRepresentationRequest, { scale, box, unit }: PlacedSignature, input: PlanInput) {
  if (!text) return { lines: [] }
  const { fontSize, container, horizontalAlign, includeSigningTime } = text
  if (typeof fontSize === 'number' && fontSize <= 0) throw refuse('FontSizeZero')
  const { certificate } = input
  const words = linesOf(text.text ?? '').map((line) => (certificate ? filledText(line, certificate) : line))
  const time = includeSigningTime && certificate ? [signingTimeLine(input.taker.now, input.culture)] : []
  return {
    lines: [...words, ...time],
    textAlign: horizontalAlign === 'Right' ? ('right' as const) : ('left' as const),
    ...(fontSize && { fontSize: fontSize * scale }),
    ...(container && { textBox: boxIn(container, box, unit) }),
  }
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/\r\n|\r|\n/))

const horizontals = { Left: 'left', Center: 'center', Right: 'right' } as const
const verticals = { Top: 'top', Center: 'center', Bottom: 'bottom' } as const

async function pictureOf({ image }: VisualRepresentationRequest, { files, taker }: PlanInput) {
  if (!image) return undefined
  const { resource, opacity, horizontalAlign, verticalAlign } = image
  const field = 'pdfSignatureOptions.visualRepresentation.image.resource'
  const { digest } = await files.take({ ...resource, name: 'image' }, field, taker)
  const behind = {
    horizontal: horizontals[horizontalAlign ?? 'Center'],
    vertical: verticals[verticalAlign ?? 'Center'],
    ...(typeof opacity === 'number' && opacity < 100 && { opacity: opacity / 100 }),
  }
  return { digest, behind }
}
