// Marks on the pages of a PDF (pki-core facts 4.4).
import { EngineError } from '@chancela/signature-engine'
import { type Drawing, drawElements, type OverSigned, stampPages } from '@chancela/signature-engine/pades'
import type { AddMarksRequest, MarkElementRequest, MarkRequest } from '../../contract/pdf-marks.ts'
import type { Files, Taker } from '../../parts/files/files.ts'
import { translated } from '../../parts/signing/prepare-signature.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { summaryOf } from '../signatures/plan-signature.ts'
import { resultFile } from './complete-signature.ts'
import { drawingOf, type MarkedPages, placeMarks } from './place-marks.ts'
import { type Asking, type EarlierDependencies, inThisGeneration } from './start-signature.ts'

export async function addMarks(
  dependencies: EarlierDependencies,
  caller: Caller,
  request: AddMarksRequest,
  asking: Asking,
) {
  const { files } = dependencies
  const taker = { subscriptionId: caller.subscriptionId, base: asking.base, now: asking.now }
  const file = await files.take({ ...request.file, name: request.file.name ?? 'file' }, 'file', taker)
  const signed = request.abortIfSigned ? 'refused' : 'always'
  const marked = await inThisGeneration(markedPdf({ files, taker }, await files.read(file), request, 'marks', signed))
  return { file: await resultFile(dependencies, caller, 'MarkedPdf', marked, request.forceBlobResult === true, asking) }
}

type AskedMarks = Pick<AddMarksRequest, 'marks' | 'measurementUnits' | 'pageOptimization'>

interface Source {
  readonly files: Pick<Files, 'take' | 'read'>
  readonly taker: Taker
}

/** The PDF with marks; `signed` says what becomes of one that somebody signed, `field` what refusals are about. */
export async function markedPdf(
  source: Source,
  bytes: Buffer,
  { marks, measurementUnits, pageOptimization }: AskedMarks,
  field: string,
  signed: OverSigned,
): Promise<Buffer> {
  const defaults = { units: measurementUnits ?? undefined, optimization: pageOptimization ?? undefined }
  const placed = placeMarks(marks, defaults, summaryOf(bytes).pages)
  const images = await imagesOf(source, marks, field)
  const drawings = placed.map((one) => drawingOf(one, defaults, (element) => images.get(element)!))
  return stamped(bytes, placed, drawings, signed)
}

/** The pictures of elements; the same picture is the same bytes, so that it goes into the PDF once. */
async function imagesOf({ files, taker }: Source, marks: readonly MarkRequest[], field: string) {
  const images = new Map<MarkElementRequest, Buffer>()
  const known = new Map<string, Buffer>()
  for (const element of marks.flatMap(({ elements }) => elements)) {
    if (element.elementType !== 'Image') continue
    if (!element.image) throw refuse('CannotApplyPdfMarks', { reason: 'An image has no resource.' })
    const { digest } = await files.take({ ...element.image.resource, name: 'image' }, `${field}.image.resource`, taker)
    const bytes = known.get(digest) ?? (await files.read({ digest }))
    known.set(digest, bytes)
    images.set(element, bytes)
  }
  return images
}

async function stamped(
  bytes: Buffer,
  placed: readonly MarkedPages[],
  drawings: readonly Drawing[],
  signed: OverSigned,
): Promise<Buffer> {
  if (placed.length === 0) return bytes
  try {
    const pictures = await drawElements(drawings)
    const drawn = placed.map((one, at) => ({ ...one, picture: pictures[at]! }))
    return stampPages(bytes, {
      stamps: drawn,
      added: drawn.flatMap(({ isNewPage, size, picture }) => (isNewPage ? [{ ...size, pictures: [picture] }] : [])),
      signed,
    })
  } catch (error) {
    if (error instanceof EngineError && inapplicable.has(error.code))
      throw refuse('CannotApplyPdfMarks', { reason: error.message }, error)
    throw error instanceof EngineError ? translated(error, 'Pdf') : error
  }
}

const inapplicable: ReadonlySet<string> = new Set(['pades.appearance', 'pades.mark-outside-page', 'pades.locked'])
