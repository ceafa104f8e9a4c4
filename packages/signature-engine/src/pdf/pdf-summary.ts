import { requireArguments } from '../errors/arguments.ts'
import { formFields } from './form-fields.ts'
import type { ReadingLimits } from './limits.ts'
import { allPages, type PdfPage } from './page-tree.ts'
import { openPdf } from './pdf-file.ts'

/** One page as viewers show it. */
export interface PageSummary {
  /** In points, after rotation. */
  readonly width: number
  readonly height: number
  /** Degrees clockwise by which viewers turn it: 0, 90, 180 or 270. */
  readonly rotate: number
}

/** One terminal form field. */
export interface FieldSummary {
  readonly name: string
  /** `Sig`, `Tx`, `Btn`, `Ch`; undefined when absent. */
  readonly type: string | undefined
  readonly isFilled: boolean
}

/** The content of a PDF, without rendering or validating it. */
export interface PdfSummary {
  readonly pages: readonly PageSummary[]
  readonly fields: readonly FieldSummary[]
  /** Whether it may be signed in a new field; an encrypted file may say that only its owner may. */
  readonly permitsSigning: boolean
}

/** Reads pages and form fields only; a file of many megabytes takes no longer than its page tree. */
export function summarizePdf(bytes: Uint8Array, within?: ReadingLimits): PdfSummary {
  requireArguments('summarizePdf', { bytes: [bytes, 'bytes'] })
  const file = openPdf(bytes, within)
  return {
    pages: allPages(file).map(summarizePage),
    permitsSigning: file.encryption?.permits('add-field') ?? true,
    fields: formFields(file).map(({ name, type, value }) => ({ name, type, isFilled: file.resolve(value) !== null })),
  }
}

function summarizePage({ cropBox: [left, bottom, right, top], rotate, userUnit }: PdfPage): PageSummary {
  const [width, height] = [(right - left) * userUnit, (top - bottom) * userUnit]
  return rotate === 90 || rotate === 270 ? { width: height, height: width, rotate } : { width, height, rotate }
}
