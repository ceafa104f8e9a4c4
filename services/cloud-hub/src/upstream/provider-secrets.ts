import { type Secrets, sealedTable } from '@chancela/service-kernel/secrets'
import type { ProviderRow } from '../store/tables.ts'

/** Secrets shared with the provider; stored as one sealed value. */
export interface ProviderSecrets {
  /** Empty until the hub is registered there. */
  readonly clientSecret: string
  /** The key of the knob `clientCertificate`, in PEM. */
  readonly tlsKey?: string
  /** Of the user that `proxy_url` names. */
  readonly proxyPassword?: string
}

const sealContext = (id: string): string => `provider.sealed_secret:${id}`

/** The sealed secrets of providers, so that a rotation of the master key reaches them. */
export const sealedProviders = sealedTable<ProviderRow>({
  table: 'provider',
  idColumn: 'id',
  columns: ['sealed_secret'],
  context: ({ id }) => sealContext(id),
})

export const sealProviderSecrets = (secrets: Secrets, id: string, values: ProviderSecrets): string =>
  secrets.seal(JSON.stringify(values), sealContext(id))

export const openProviderSecrets = (
  secrets: Secrets,
  { id, sealed_secret }: Pick<ProviderRow, 'id' | 'sealed_secret'>,
): ProviderSecrets => JSON.parse(secrets.openText(sealed_secret, sealContext(id))) as ProviderSecrets
