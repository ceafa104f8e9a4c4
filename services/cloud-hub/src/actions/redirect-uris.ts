// Where users may be sent back to: scheme, host, port and path as registered for the key, the query free (cloud-hub
// facts 3.4 and 4). Every address is read as browsers read it, and only what was read is compared, stored and sent out.
import type { Db } from '@chancela/service-kernel/store'
import { refuse } from '../rules/refuse.ts'
import {
  deleteRedirectUri,
  insertRedirectUri,
  isKeyInForce,
  type RedirectUri,
  redirectUris,
} from '../store/redirect-uris.ts'
import type { Tables } from '../store/tables.ts'

// Browsers drop or turn these before they read the address; who compares something else is fooled.
const FORBIDDEN = /[\p{Cc}\s\\#]/u

// `https:/host`, `https:host` and empty userinfo are repaired by browsers, too.
const WEB_ADDRESS = /^https?:\/\/[^/?@]+(?:[/?]|$)/i

/** The absolute URI a text is; nothing for one with parts no redirect URI may have. */
function readUri(text: string): URL | undefined {
  if (FORBIDDEN.test(text) || !URL.canParse(text)) return undefined
  const uri = new URL(text)
  return isWeb(uri) && !WEB_ADDRESS.test(text) ? undefined : uri
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const mayBeRegistered = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))

/** The form in which a redirect URI is registered; nothing for one that cannot be: only https, http on loopback only. */
export function normalizedRedirectUri(text: string): string | undefined {
  const uri = readUri(text.trim())
  return uri && mayBeRegistered(uri) ? uri.href : undefined
}

/**
 * Registers a redirect URI for a key; once more changes nothing. Returns what was registered, or nothing when the text is
 * no URI that can be. Whoever calls it has checked the key and records the event.
 */
export async function registerRedirectUri(
  db: Db<Tables>,
  keyId: string,
  text: string,
  now: Date,
): Promise<string | undefined> {
  const uri = normalizedRedirectUri(text)
  if (uri !== undefined) await insertRedirectUri(db, { key_id: keyId, uri, created_at: now.toISOString() })
  return uri
}

/** Takes a registration back. Returns what was unregistered, or nothing when there was no such registration. */
export async function unregisterRedirectUri(db: Db<Tables>, keyId: string, text: string): Promise<string | undefined> {
  const uri = normalizedRedirectUri(text)
  return uri !== undefined && (await deleteRedirectUri(db, keyId, uri)) ? uri : undefined
}

/** The registrations of a key, or of all; oldest first. */
export const listRedirectUris = (db: Db<Tables>, keyId?: string): Promise<readonly RedirectUri[]> =>
  redirectUris(db, keyId)

/** The redirect URI a key asks for, as it is stored; refuses one that is none, then one that is not the key's. */
export async function authorizedRedirectUri(db: Db<Tables>, keyId: string, text: string): Promise<string> {
  const uri = readUri(text)
  if (!uri) throw refuse('InvalidRedirectUri')
  if (!(await isRegistered(db, keyId, uri))) throw refuse('UnauthorizedRedirectUri', { redirectUri: text })
  return uri.href
}

/** Whether users may still be sent there: the registration or the key may be gone since the session was created. */
export const mayRedirect = async (db: Db<Tables>, keyId: string, uri: string, now: Date): Promise<boolean> =>
  (await isKeyInForce(db, keyId, now)) && (await isRegistered(db, keyId, new URL(uri)))

async function isRegistered(db: Db<Tables>, keyId: string, uri: URL): Promise<boolean> {
  const registered = await redirectUris(db, keyId)
  return registered.some((one) => covers(new URL(one.uri), uri))
}

const covers = (registered: URL, given: URL): boolean =>
  registered.protocol === given.protocol &&
  registered.host === given.host &&
  registered.pathname === given.pathname &&
  (registered.search === '' || registered.search === given.search)

/** What the hub tells a client through the browser. */
export interface Returned {
  readonly session: string
  readonly error?: 'access_denied' | 'provider_error'
}

/** The redirect URI with what the hub appends. A value of the same name that stood there is replaced. */
export function returnAddress(redirectUri: string, returned: Returned): string {
  const uri = new URL(redirectUri)
  // By hand: a rewriting of the whole query would change the bytes of the client's own values.
  const own = uri.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !isReserved(part))
  uri.search = [...own, ...Object.entries(returned).map(([name, value]) => `${name}=${value}`)].join('&')
  return uri.href
}

const RESERVED = new Set(['session', 'error'])

// Some servers read names in any case and join the values of equal ones.
const isReserved = (part: string): boolean =>
  [...new URLSearchParams(part).keys()].some((name) => RESERVED.has(name.trim().toLowerCase()))
