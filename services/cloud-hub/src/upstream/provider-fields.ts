import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readUrl } from '@chancela/service-kernel/addresses'
import { refuser } from '@chancela/service-kernel/errors'
import { addressPolicy } from '@chancela/service-kernel/http-client'
import { providerErrors } from '../contract/provider-errors.ts'
import type { CloudHubSettings } from '../settings.ts'
import type { ProviderRow } from '../store/tables.ts'
import { knobProblems, knobsOf, type SomeKnobs } from './knobs.ts'
import { type Preset, presetOf } from './presets.ts'
import { readProxy } from './provider-proxy.ts'
import type { ProviderSecrets } from './provider-secrets.ts'

/** Creates the refusal of an operator's request. */
export const refuseProvider = refuser(providerErrors)

/** An operator's fields of a provider; absent ones stay unchanged. */
export interface ProviderFields {
  readonly serviceName?: string
  /** The company. */
  readonly provider?: string
  readonly endpoint?: string
  /** Null for the plain logo of the hub. */
  readonly badgeUrl?: string | null
  readonly clientId?: string
  readonly clientSecret?: string
  /** Key of the knob `clientCertificate`, in PEM. */
  readonly tlsKey?: string
  /** What it is reached through, with user and password; null for nothing. */
  readonly proxy?: string | null
  /** All that differ from the preset. */
  readonly knobs?: SomeKnobs
}

interface CheckedRow {
  readonly row: ProviderRow
  readonly secrets: ProviderSecrets
}

/** It is part of paths, of the callback URL and of metric labels. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/

export function requirePreset(name: string): Preset {
  const preset = presetOf(name)
  if (!preset) throw refuseProvider('PROVIDER_PRESET_UNKNOWN', { preset: name })
  return preset
}

/** A row with the operator's fields applied; refuses invalid ones. */
export function checkedRow(
  settings: Pick<CloudHubSettings, 'Providers'>,
  former: ProviderRow,
  secrets: ProviderSecrets,
  fields: ProviderFields,
): CheckedRow {
  const serviceName = fields.serviceName?.trim() ?? former.service_name
  if (!NAME.test(serviceName)) throw refuseProvider('PROVIDER_NAME_INVALID', { serviceName })
  const proxy = checkedProxy(settings, fields.proxy)
  const row: ProviderRow = {
    ...former,
    proxy_url: proxy === undefined ? former.proxy_url : (proxy?.address ?? null),
    service_name: serviceName,
    name_key: serviceName.toLowerCase(),
    provider: fields.provider?.trim() ?? former.provider,
    endpoint: checkedEndpoint(settings, fields.endpoint?.trim() ?? former.endpoint),
    badge_url: fields.badgeUrl === undefined ? former.badge_url : checkedBadge(fields.badgeUrl),
    client_id: fields.clientId?.trim() ?? former.client_id,
    knobs: fields.knobs === undefined ? former.knobs : checkedKnobs(former, fields.knobs),
  }
  const proxyPassword = proxy?.password ?? (row.proxy_url === former.proxy_url ? secrets.proxyPassword : undefined)
  const { clientSecret, tlsKey } = checkedSecrets(row, secrets, fields)
  return {
    row,
    secrets: {
      clientSecret,
      ...(tlsKey !== undefined && { tlsKey }),
      // Never one proxy's for another: it would be told to whoever stands there.
      ...(proxyPassword !== undefined && { proxyPassword }),
    },
  }
}

function checkedProxy(settings: Pick<CloudHubSettings, 'Providers'>, proxy: string | null | undefined) {
  if (proxy === undefined) return undefined
  if (proxy === null || proxy.trim() === '') return null
  const read = readProxy(settings, proxy.trim())
  if (typeof read === 'string') throw refuseProvider('PROVIDER_PROXY_REFUSED', { reason: read })
  return read
}

function checkedEndpoint({ Providers }: Pick<CloudHubSettings, 'Providers'>, endpoint: string): string {
  const refusal = addressPolicy({ allowed: Providers.AllowedHosts }).refusesUrl(endpoint)
  const reason = refusal ?? (/[?#]/.test(endpoint) ? 'It has a query or a fragment.' : undefined)
  if (reason !== undefined) throw refuseProvider('PROVIDER_ENDPOINT_REFUSED', { endpoint, reason })
  return endpoint.replace(/\/+$/, '')
}

/** It is passed to clients and never fetched: it only must not be executable in a browser. */
function checkedBadge(badgeUrl: string | null): string | null {
  if (badgeUrl === null || badgeUrl === '') return null
  const url = readUrl(badgeUrl)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw refuseProvider('PROVIDER_BADGE_REFUSED', { badgeUrl })
  return url.href
}

function checkedKnobs({ protocol }: ProviderRow, knobs: SomeKnobs): string {
  const problems = knobProblems(protocol, knobs)
  if (problems.length > 0) throw refuseProvider('PROVIDER_KNOBS_INVALID', { problems })
  return JSON.stringify(knobs)
}

/** The TLS key is kept as long as its certificate. */
function checkedSecrets(
  { protocol, knobs }: ProviderRow,
  former: ProviderSecrets,
  { clientSecret = former.clientSecret, tlsKey: given }: ProviderFields,
): ProviderSecrets {
  const { clientCertificate } = knobsOf(protocol, JSON.parse(knobs) as SomeKnobs)
  const tlsKey = given ?? (clientCertificate && former.tlsKey)
  if (!belong(clientCertificate, tlsKey)) throw refuseProvider('PROVIDER_TLS_KEY_INVALID')
  return { clientSecret, ...(tlsKey !== undefined && { tlsKey }) }
}

function belong(certificate: string | undefined, key: string | undefined): boolean {
  if (certificate === undefined || key === undefined) return certificate === key
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false // neither a certificate nor a key
  }
}
