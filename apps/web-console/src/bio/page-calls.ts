import type { BioPage } from '@chancela/pki-core/contract'

export type Session = BioPage

/** The session, or why there is none: its address is not good, or the service did not answer. */
export type Answer =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'gone' }
  | { readonly kind: 'again' }
  | { readonly kind: 'unreachable' }

const query = new URLSearchParams(location.search)

/** It is in the address, and nowhere else. */
const token = query.get('token') ?? ''

/** The language that the application asked for, if it did. */
export const askedLanguage = query.get('lang')

const goneCodes = ['BioSessionTokenRequired', 'BadBioSessionToken']

/** Calls the service with the token of the session. */
export async function callPage(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const address = new URL(`../api/bio/page${path}`, location.href)
  try {
    const answer = await fetch(address, {
      method,
      headers: { 'X-Bio-Session-Token': token, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answerOf(answer.status, await answer.json())
  } catch {
    // No connection, or an answer that is not the service's.
    return { kind: 'unreachable' }
  }
}

function answerOf(status: number, body: Session & { readonly code?: string }): Answer {
  if (status === 200) return { kind: 'session', session: body }
  if (status === 422) return { kind: goneCodes.includes(body.code ?? '') ? 'gone' : 'again' }
  return { kind: 'unreachable' }
}
