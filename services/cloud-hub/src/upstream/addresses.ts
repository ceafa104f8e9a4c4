import { homeUrl } from '@chancela/service-kernel/config'
import type { CloudHubSettings } from '../settings.ts'
import type { ProviderRow } from '../store/tables.ts'

/** Public URL of the hub for browsers, without a trailing slash. */
export const publicUrl = ({ Http }: Pick<CloudHubSettings, 'Http'>): string => homeUrl(Http)

/** The hub's redirect URI at this provider: each has its own, so that none can answer for another. */
export const callbackUri = (settings: Pick<CloudHubSettings, 'Http'>, { name_key }: Pick<ProviderRow, 'name_key'>) =>
  `${publicUrl(settings)}/callbacks/${name_key}`

/** The page where holders of this provider wait for the confirmation on their phone. */
export const waitingUri = (settings: Pick<CloudHubSettings, 'Http'>, { name_key }: Pick<ProviderRow, 'name_key'>) =>
  `${publicUrl(settings)}/waiting/${name_key}`

/** The page on which a holder chooses, for a chooser's ticket or the state of a session that is bound to a list. */
export const chooserUrl = (settings: Pick<CloudHubSettings, 'Http'>, ticket: string): string =>
  `${publicUrl(settings)}/choose/${ticket}`
