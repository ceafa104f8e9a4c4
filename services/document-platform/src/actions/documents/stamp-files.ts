// Verification stamps on the PDFs of new documents: before anybody signs, because no signature lets its pages change.
import { EngineError } from '@chancela/signature-engine'
import type { Context } from '../../context.ts'
import type { MarkPlace, RenditionLanguage } from '../../parts/renditions/rendition-info.ts'
import type { ExpectedParticipant } from '../../parts/renditions/signature-sheet.ts'
import type { PlacedMark } from '../../rules/authentication-stamps.ts'
import { refuse } from '../../rules/refuse.ts'
import type { VerificationStamp } from '../../rules/vocabulary.ts'
import type { OrganizationRow } from '../../store/tables.ts'
import type { TimelineType } from '../../store/timeline-rows.ts'
import { fileFacts, type PreparedFile } from './file-content.ts'

/** A document to be: its file, its verification code, and what its history tells of the stamps. */
export interface StampedFile extends PreparedFile {
  readonly key: string
  /** Where its document has an id before it is written. */
  readonly documentId?: string
  readonly told?: { readonly type: TimelineType; readonly detail: string }
}

/** What goes onto the file of one document. */
export interface WantedStamps {
  readonly stamp: VerificationStamp
  readonly key: string
  readonly documentName: string
  readonly language: RenditionLanguage
  readonly marks: readonly PlacedMark[]
  readonly participants: readonly ExpectedParticipant[]
}

const settingParts = {
  None: { footer: false, sheet: false },
  Footer: { footer: true, sheet: false },
  Page: { footer: false, sheet: true },
  FooterAndPage: { footer: true, sheet: true },
} as const satisfies Record<VerificationStamp, object>

/** What the document's creation asked for, else what the organization chose, else the instance. */
export const stampOf = (
  { settings }: Pick<Context, 'settings'>,
  { verification_stamp }: Pick<OrganizationRow, 'verification_stamp'>,
  asked: VerificationStamp | null | undefined,
): VerificationStamp => asked ?? verification_stamp ?? settings.Documents.VerificationStamp

type StampContext = Pick<Context, 'blobs' | 'publicUrl'>

/** The file with its stamps, where the instance or the request asks for any and the file is signed as a PDF. */
export async function stampedFile(
  context: StampContext,
  file: PreparedFile,
  wanted: WantedStamps,
): Promise<StampedFile> {
  const { key, marks } = wanted
  const parts = settingParts[wanted.stamp]
  if (file.format !== 'Pades' || !(parts.footer || parts.sheet || marks.length > 0)) return { ...file, key }
  const { withVerificationStamp } = await import('../../parts/renditions/verification-stamp.ts')
  const verificationUrl = `${context.publicUrl}/validate/${key}`
  const drawn = { ...wanted, ...parts, verificationUrl, places: marks.map(placeOf) }
  const pdf = await context.blobs.read(file.digest)
  try {
    const stored = await context.blobs.put(await withVerificationStamp(pdf, drawn, wanted.language))
    return { ...file, ...fileFacts(stored), key, told: { type: 'Stamped', detail: verificationUrl } }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (error.code === 'pades.locked') return { ...file, key, told: ALREADY_SIGNED }
    throw refuse('InvalidDocumentContent', { name: file.name, reason: error.message }, error)
  }
}

const ALREADY_SIGNED = { type: 'NotStamped', detail: 'The file came with signatures.' } as const

function placeOf({ topLeftX, topLeftY, width, height, fontSize, pageNumber }: PlacedMark): MarkPlace {
  return { topLeftX, topLeftY, width, height, ...(pageNumber && { pageNumber }), ...(fontSize && { fontSize }) }
}
