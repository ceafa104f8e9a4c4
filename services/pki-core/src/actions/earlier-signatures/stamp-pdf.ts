// A PDF with a timestamp of its own (pki-core facts 4).
import { EngineError } from '@chancela/signature-engine'
import { drawAppearance, stampPages, timestampPades } from '@chancela/signature-engine/pades'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { StampRequest } from '../../contract/earlier-services.ts'
import { translated } from '../../parts/signing/prepare-signature.ts'
import type { PdfPlan } from '../../parts/signing/signature-plan.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { signingTimeLine } from '../../rules/visual-text.ts'
import { planSignature } from '../signatures/plan-signature.ts'
import { resultFile } from './complete-signature.ts'
import { requireTier } from './issue-timestamp.ts'
import { type Asking, type EarlierDependencies, inThisGeneration } from './start-signature.ts'

export async function stampPdf(
  dependencies: EarlierDependencies,
  caller: Caller,
  request: StampRequest,
  asking: Asking,
) {
  const { timestamps, files } = dependencies
  requireTier(request.timestampTier)
  if (!timestamps) throw refuse('TimestampingUnavailable', { reason: 'No timestamp authority is set.' })
  const taker = { subscriptionId: caller.subscriptionId, base: asking.base, now: asking.now }
  const file = await files.take({ ...request.file, name: request.file.name ?? 'file' }, 'file', taker)
  const bytes = await files.read(file)
  const { culture } = asking
  const { visualRepresentation = null } = request
  const input = { files, taker, file, bytes, url: undefined, certificate: undefined, level: 'B-B', culture } as const
  const options = { pdfSignatureOptions: { visualRepresentation } }
  const plan = (await inThisGeneration(planSignature('Pdf', options, input))) as PdfPlan
  // Earlier signatures allow a timestamp, but nothing that is drawn with it.
  if (visualRepresentation && plan.isFurther)
    throw refuse('InvalidVisualRepresentation', { reason: 'The pages of a signed document stay as they are.' })
  const lines = [
    ...(plan.appearance?.lines ?? []),
    ...(visualRepresentation?.text?.includeSigningTime ? [signingTimeLine(asking.now, culture)] : []),
  ]
  const image = plan.image === undefined ? {} : { image: await files.read({ digest: plan.image }) }
  const stamped = await inThisGeneration(
    stampedFile(bytes, plan, { ...(plan.appearance && { ...plan.appearance, lines, ...image }) }, timestamps, request),
  )
  return { file: await resultFile(dependencies, caller, 'Pdf', stamped, request.forceBlobResult === true, asking) }
}

async function stampedFile(
  bytes: Buffer,
  { newPage, uuid, appearance }: PdfPlan,
  shown: Partial<Parameters<typeof drawAppearance>[0]>,
  timestamps: TimestampClient,
  { customSignatureFieldName, reason }: StampRequest,
): Promise<Buffer> {
  try {
    const document = newPage ? stampPages(bytes, { stamps: [], added: [{ ...newPage, pictures: [] }], uuid }) : bytes
    return await timestampPades(document, {
      timestamps,
      ...(customSignatureFieldName && { fieldName: customSignatureFieldName }),
      ...(reason && { reason }),
      ...(appearance && { appearance: await drawAppearance({ ...appearance, ...shown }) }),
    })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (/^(?:timestamp|http)\./.test(error.code))
      throw refuse('TimestampingUnavailable', { reason: error.message }, error)
    throw translated(error, 'Pdf')
  }
}
