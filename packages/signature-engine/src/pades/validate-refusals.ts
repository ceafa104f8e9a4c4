import type { EngineError } from '../errors/engine-error.ts'
import { type Finding, finding } from '../report/report.ts'

/** Refusals of the reader about the kind of file, not about damage: nothing can be validated. */
const notJudged: ReadonlySet<string> = new Set([
  'pdf.not-a-pdf',
  'pdf.encrypted',
  'pdf.password-wrong',
  'pdf.unsupported',
])

/** Whether the reader's refusal is about a signed document, rather than about the caller's choice of file. */
export const isVerdict = ({ code }: EngineError): boolean => code.startsWith('pdf.') && !notJudged.has(code)

/** The finding for a damaged or hostile structure. */
export function findingForRefusal({ code, message, details }: EngineError): Finding {
  const reason = String(details?.reason ?? message)
  // The reader stops at the second visit, or at the last hop it allows: both mean that the file has a cycle.
  if (/goes round|met twice|needs itself|lead on to references/.test(reason)) {
    return finding('pdf.circular-reference', { reason })
  }
  return finding(code === 'pdf.too-complex' ? 'pdf.parser-bomb' : 'document-unreadable', { reason })
}
