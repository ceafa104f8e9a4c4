import { chooseLanguage, type Language } from '../../shared/i18n/languages.ts'
import type { CloudOutcome } from '../api/types.ts'

/** What the address of the page says of it (document-platform facts 3). */
export interface PageOptions {
  readonly ticket: string
  /** The page of the document to begin with. */
  readonly page?: number
  /** How large it is shown; 1 fills the width. */
  readonly scale?: number
  /** Whether the document is not shown. */
  readonly preview?: true
  /** Whether it cannot be refused here. */
  readonly refusal?: true
  readonly theme?: 'light' | 'dark'
  readonly culture?: Language
  /** The way of signing to begin with. */
  readonly way?: 'cloud'
  /** What became of a signature with a cloud certificate, when the signer comes back. */
  readonly cloud?: CloudOutcome
}

/** Every outcome: the compiler finds one that is missing. */
const outcomes: Readonly<Record<CloudOutcome, true>> = {
  signed: true,
  'under-way': true,
  denied: true,
  expired: true,
  changed: true,
  'not-pending': true,
  'cpf-mismatch': true,
  'certificate-type': true,
  'certificate-invalid': true,
  'signature-invalid': true,
  'timestamp-unavailable': true,
  'provider-failed': true,
  failed: true,
}

const isOutcome = (text: unknown): text is CloudOutcome => typeof text === 'string' && Object.hasOwn(outcomes, text)

/** Reads the options of whoever embeds the page; one that makes no sense is left out. */
export function optionsFromSearch(search: Record<string, unknown>): PageOptions {
  const [page, scale] = [Number(search.page), Number(search.scale)]
  const theme = String(search.theme ?? '').toLowerCase()
  return {
    ticket: String(search.ticket ?? ''),
    ...(Number.isInteger(page) && page > 1 && { page }),
    ...(scale >= 0.25 && scale <= 4 && { scale }),
    ...(search.preview === 'true' && { preview: true }),
    ...(search.refusal === 'true' && { refusal: true }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...(typeof search.culture === 'string' && { culture: chooseLanguage(search.culture, []) }),
    ...(search.way === 'cloud' && { way: 'cloud' }),
    ...(isOutcome(search.cloud) && { cloud: search.cloud }),
  }
}
