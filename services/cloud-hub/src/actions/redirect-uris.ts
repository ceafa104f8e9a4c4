// Allowed redirect URIs: scheme, host, port and path as registered for the key, any query (cloud-hub facts 3.4 and 4).
// URIs are parsed as browsers parse them, and only the parsed form is compared, stored and sent.
import { readUrl } from '@chancela/service-kernel/addresses'
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

// Browsers drop or convert these before parsing; comparing the raw text would be unsafe.
const FORBIDDEN = /[\p{Cc}\s\\#]/u

// `https:/host`, `https:host` and empty userinfo are repaired by browsers, too.
const WEB_ADDRESS = /^https?:\/\/[^/?@]+(?:[/?]|$)/i

/** Parses an absolute URI; undefined for one with parts no redirect URI may have. */
function readUri(text: string): URL | undefined {
  if (FORBIDDEN.test(text)) return undefined
  const uri = readUrl(text)
  return uri && isWeb(uri) && !WEB_ADDRESS.test(text) ? undefined : uri
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const mayBeRegistered = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))

/** The registered form of a redirect URI; undefined when not allowed: https only, http on loopback only. */
export function normalizedRedirectUri(text: string): string | undefined {
  const uri = readUri(text.trim())
  return uri && mayBeRegistered(uri) ? uri.href : undefined
}

/**
 * Registers a redirect URI for a key; idempotent. Returns the registered URI, or undefined when the text is not
 * allowed. The caller has checked the key and records the event.
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

/** Deletes a registration. Returns the URI, or undefined when it was not registered. */
export async function unregisterRedirectUri(db: Db<Tables>, keyId: string, text: string): Promise<string | undefined> {
  const uri = normalizedRedirectUri(text)
  return uri !== undefined && (await deleteRedirectUri(db, keyId, uri)) ? uri : undefined
}

/** The registrations of a key, or of all; oldest first. */
export const listRedirectUris = (db: Db<Tables>, keyId?: string): Promise<readonly RedirectUri[]> =>
  redirectUris(db, keyId)

/** The requested redirect URI as it is stored; refuses an invalid one, then one not registered for the key. */
export async function authorizedRedirectUri(db: Db<Tables>, keyId: string, text: string): Promise<string> {
  const uri = readUri(text)
  if (!uri) throw refuse('InvalidRedirectUri')
  if (!(await isRegistered(db, keyId, uri))) throw refuse('UnauthorizedRedirectUri', { redirectUri: text })
  return uri.href
}

/** Whether redirects there are still allowed: the registration or the key may be gone since the session was created. */
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

/** The parameters the hub appends to the redirect URI. */
export interface Returned {
  readonly session: string
  readonly error?: 'access_denied' | 'provider_error'
}

/** The redirect URI with the hub's parameters. Existing parameters of the same name are replaced. */
export function returnAddress(redirectUri: string, returned: Returned): string {
  const uri = new URL(redirectUri)
  // By hand: serializing the whole query would change the bytes of the client's own values.
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
