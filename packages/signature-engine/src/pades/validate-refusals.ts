import type { EngineError } from '../errors/engine-error.ts'
import { type Finding, finding } from '../report/report.ts'

/** Refusals of the reader that say what the file is, not what is wrong with it: nothing can be judged. */
const notJudged: ReadonlySet<string> = new Set(['pdf.not-a-pdf', 'pdf.encrypted', 'pdf.unsupported'])

/** Whether the reader's refusal is an answer about a signed document, rather than about the caller's choice of file. */
export const isVerdict = ({ code }: EngineError): boolean => code.startsWith('pdf.') && !notJudged.has(code)

/** What a damaged or hostile structure is called in a report. */
export function findingForRefusal({ code, message, details }: EngineError): Finding {
  const reason = String(details?.reason ?? message)
  // The reader stops at the second visit, or at the last hop it allows: both mean that the file leads round in circles.
  if (/goes round|met twice|needs itself|lead on to references/.test(reason)) {
    return finding('pdf.circular-reference', { reason })
  }
  return finding(code === 'pdf.too-complex' ? 'pdf.parser-bomb' : 'structure-malformed', { reason })
}
