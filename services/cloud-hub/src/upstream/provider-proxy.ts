// The proxy of a provider: its address is in the row, the password with the other secrets.
import { readUrl } from '@chancela/service-kernel/addresses'
import { type AddressPolicy, addressPolicy } from '@chancela/service-kernel/http-client'
import type { CloudHubSettings } from '../settings.ts'
import type { ProviderRow } from '../store/tables.ts'
import type { ProviderSecrets } from './provider-secrets.ts'

/** A proxy as an operator writes it, taken apart. */
interface WrittenProxy {
  /** Without password and without a slash at the end. */
  readonly address: string
  readonly password?: string
}

/** What may be a proxy: unlike providers they are spoken to in clear, and mostly stand inside. */
export const proxyPolicy = ({ Providers }: Pick<CloudHubSettings, 'Providers'>): AddressPolicy =>
  addressPolicy({ allowed: Providers.AllowedProxies, allowHttp: true })

/** The proxy, or why it is none; the reason repeats nothing of what was written. */
export function readProxy(settings: Pick<CloudHubSettings, 'Providers'>, text: string): WrittenProxy | string {
  const url = readUrl(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'It is not an absolute http or https URL.'
  if (`${url.pathname}${url.search}${url.hash}` !== '/') return 'It has a path, a query or a fragment.'
  if (!areCredentials(url)) return 'Its user or its password cannot be read.'
  const refusal = proxyPolicy(settings).refusesUrl(url.origin)
  if (refusal !== undefined) return refusal
  const { password } = url
  url.password = ''
  return { address: url.href.replace(/\/$/, ''), ...(password !== '' && { password }) }
}

/** A password belongs to a user, whose name ends at the first colon (RFC 7617 §2). */
function areCredentials({ username, password }: URL): boolean {
  try {
    const [user, secret] = [username, password].map(decodeURIComponent) as [string, string]
    return (user !== '' || secret === '') && !user.includes(':')
  } catch {
    return false // a lone percent sign
  }
}

/** What calls go through, with the credentials. */
export function proxyUrlOf(
  { proxy_url }: Pick<ProviderRow, 'proxy_url'>,
  { proxyPassword = '' }: Partial<ProviderSecrets>,
): string | undefined {
  if (proxy_url === null) return undefined
  const url = new URL(proxy_url)
  url.password = proxyPassword
  return url.href
}
