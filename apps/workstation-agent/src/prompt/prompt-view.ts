import type { PromptLanguage } from './texts.ts'

/** What a submitted form leads to: a page, or another address of this server. */
export type Taken = string | { readonly location: string }

/** A question on a page, until it is answered. */
export interface PromptView {
  /** Aborted when there is nothing to answer any more. */
  readonly signal: AbortSignal
  /** The page with the question. */
  page(language: PromptLanguage): Promise<string>
  /** Takes what was submitted. */
  take(form: URLSearchParams, language: PromptLanguage): Promise<Taken>
}
