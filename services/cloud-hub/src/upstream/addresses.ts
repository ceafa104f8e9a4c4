import type { CloudHubSettings } from '../settings.ts'
import type { ProviderRow } from '../store/tables.ts'

/** Where browsers reach the hub, without a slash at its end. */
export const publicUrl = ({ Http: { PublicUrl, Host, Port } }: Pick<CloudHubSettings, 'Http'>): string =>
  (PublicUrl ?? `http://${Host}:${Port}`).replace(/\/+$/, '')

/** The redirect URI of the hub at this provider: each has one of its own, so that none can answer for another. */
export const callbackUri = (settings: Pick<CloudHubSettings, 'Http'>, { name_key }: Pick<ProviderRow, 'name_key'>) =>
  `${publicUrl(settings)}/callbacks/${name_key}`

/** Where holders of this provider wait who confirm on the phone. */
export const waitingUri = (settings: Pick<CloudHubSettings, 'Http'>, { name_key }: Pick<ProviderRow, 'name_key'>) =>
  `${publicUrl(settings)}/waiting/${name_key}`
