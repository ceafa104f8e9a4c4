import type { webhookAuthTypes } from '../contract/webhooks.ts'
import { refuse } from './refuse.ts'

type AuthType = (typeof webhookAuthTypes)[number]

/** What a request says of it; null and nothing are the same. */
interface AskedAuthentication {
  readonly authType?: AuthType | null | undefined
  readonly token?: string | null | undefined
}

/** How deliveries authenticate themselves; nothing where that stays as it is. */
interface Authentication {
  readonly authType?: AuthType
  readonly token?: string | null
}

/**
 * The authentication a webhook has after a request; `known` is the type it has now. What a request does not say stays, and
 * is never taken off in silence: without authentication anyone who learns the URL can send events (spec 3,
 * Authentication). A token of another type is no token of this one.
 */
export function webhookAuthentication({ authType, token }: AskedAuthentication, known?: AuthType): Authentication {
  const type = authType ?? known ?? 'NoAuth'
  if (token && !authType && type === 'NoAuth') throw refuse('InvalidRequest', { authType: 'is required with a token' })
  if (token && !isHeaderText(token)) throw refuse('InvalidRequest', { token: 'cannot stand in a header' })
  if (type === 'NoAuth') return { authType: type, token: null }
  if (token) return { authType: type, token }
  if (type === known) return {}
  throw refuse('InvalidRequest', { token: `is required with ${type}` })
}

/** What may stand in a header value, sent exactly as it is. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
