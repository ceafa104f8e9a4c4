import type { ReadingLimits } from '@chancela/signature-engine/pdf'
import type { DrawMarksOptions } from '../draw-marks.ts'
import type { FormValues } from '../fill-form.ts'
import type { PdfTrouble } from '../read-pdf.ts'
import type { LabelledMark, RenditionLanguage, SignaturesInfo } from '../rendition-info.ts'

interface Told {
  readonly info: SignaturesInfo
  readonly language: RenditionLanguage
}

type Work<Given> = (
  pdfs: readonly Uint8Array[],
  given: Given,
  within: ReadingLimits,
) => Promise<Uint8Array | PdfTrouble | undefined>

/** What a thread can be asked for: made of files and of plain data. What it needs is loaded by the first that needs it. */
export const renditionWork = {
  read: async ([pdf], _, within) => (await import('../read-pdf.ts')).readPdf(pdf!, within),
  printerFriendly: async ([pdf], { info, language }, within) =>
    (await import('../printer-friendly.ts')).printerFriendly(pdf!, info, language, within),
  signaturesManifest: async (_, { info, language }) =>
    (await import('../signatures-manifest.ts')).signaturesManifest(info, language),
  drawMarks: async ([pdf], { marks, ...options }, within) =>
    (await import('../draw-marks.ts')).drawMarks(pdf!, marks, options, within),
  fillForm: async ([pdf], { fields, metadata }, within) =>
    (await import('../fill-form.ts')).fillForm(pdf!, fields, metadata, within),
  mergeEnvelope: async (pdfs, _, within) => (await import('../merge-envelope.ts')).mergeEnvelope(pdfs, within),
} satisfies {
  read: Work<undefined>
  printerFriendly: Work<Told>
  signaturesManifest: Work<Told>
  drawMarks: Work<DrawMarksOptions & { readonly marks: readonly LabelledMark[] }>
  fillForm: Work<{ readonly fields: FormValues; readonly metadata: FormValues }>
  mergeEnvelope: Work<undefined>
}

export type WorkName = keyof typeof renditionWork
export type Given<Name extends WorkName> = Parameters<(typeof renditionWork)[Name]>[1]

/** One thing to do, as it crosses to a thread. */
export interface RenditionTask<Name extends WorkName = WorkName> {
  readonly name: Name
  readonly pdfs: readonly Uint8Array<ArrayBuffer>[]
  readonly given: Given<Name>
  readonly within: ReadingLimits
}
