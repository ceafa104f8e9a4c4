import { chooseLanguage, type Language } from '../../shared/i18n/languages.ts'
import type { CloudOutcome } from '../api/types.ts'

/** Options in the page's URL (document-platform facts 3). */
export interface PageOptions {
  readonly ticket: string
  /** The page of the document to show first. */
  readonly page?: number
  /** Zoom of the document; 1 fills the width. */
  readonly scale?: number
  /** Whether the document is not shown. */
  readonly preview?: true
  /** Whether refusing is disabled. */
  readonly refusal?: true
  readonly theme?: 'light' | 'dark'
  readonly culture?: Language
  /** The signing method to preselect. */
  readonly way?: 'cloud' | 'token'
  /** The outcome of a cloud signature, when the signer comes back. */
  readonly cloud?: CloudOutcome
}

/** Every outcome: the compiler reports a missing one. */
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

/** Reads the options of the embedding application; invalid values are dropped. */
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
    ...((search.way === 'cloud' || search.way === 'token') && { way: search.way }),
    ...(isOutcome(search.cloud) && { cloud: search.cloud }),
  }
}
