import { count, ratePolicy, serviceSettings } from '@chancela/service-kernel/config'
import Type, { type Static } from 'typebox'

/** The settings of the service. */
export const pkiCoreSettings = serviceSettings(
  {
    Http: { Port: 8083, BodyLimitBytes: 1_048_576, MaxRunning: 256 },
    Database: { Url: 'sqlite:pki-core/db/pki-core.db' },
    Secrets: { MasterKeyFile: 'pki-core/keys/master.key' },
  },
  {
    Authentication: Type.Object({
      ValidMinutes: count(
        { minimum: 1, maximum: 1440, default: 15 },
        'Minutes between the beginning and the completion of an authentication.',
      ),
    }),
    SecurityContexts: Type.Object({
      PkiBrazilAnchorsFile: Type.Optional(
        Type.String({
          description:
            'PEM file with the roots of the built-in context PKI Brazil. Default: the official roots of ICP-Brasil.',
        }),
      ),
      TestAnchorsFile: Type.Optional(
        Type.String({
          description:
            'PEM file with the roots of the built-in context for tests; without it that context does not exist. Never in production.',
        }),
      ),
      AuthorityHosts: Type.Array(Type.String(), {
        default: [],
        description: 'Host names and CIDR ranges of authorities that may be asked although they are not public.',
      }),
    }),
    RateLimiting: Type.Object({
      PendingSignatures: ratePolicy(600, 60, 'what browsers send by a token, without a key'),
    }),
  },
)

export type PkiCoreSettings = Static<typeof pkiCoreSettings>
