import { readUrl } from '@chancela/service-kernel/addresses'
import { invalidField } from '@chancela/service-kernel/errors'

/** Where a person returns to; an absolute address of the web, or a browser would do something else with it. */
export function readReturnUrl(text: string): string {
  const url = readUrl(text)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw invalidField('returnUrl', 'must be absolute, http or https')
  if (url.username || url.password) throw invalidField('returnUrl', 'must not contain credentials')
  return text
}

/** With the id of the session among its parameters (pki-core facts 4.1). */
export function returnTo(returnUrl: string, sessionId: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('signatureSessionId', sessionId)
  return url.href
}
