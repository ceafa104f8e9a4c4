import { chooseLanguage, type Language } from '../../shared/i18n/languages.ts'

/** What the address of the page says of it (facts 3). */
export interface Wishes {
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
}

/** Reads the wishes of whoever embeds the page; one that makes no sense is none. */
export function wishesFromSearch(search: Record<string, unknown>): Wishes {
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
  }
}
