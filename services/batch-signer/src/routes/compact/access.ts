import type { AccessScheme, App } from '@chancela/service-kernel/http'
import { sameSecret } from '@chancela/service-kernel/secrets'
import type { ErrorCode } from '../../contract/errors.ts'
import { refuse } from '../../rules/refuse.ts'
import type { BatchSignerSettings } from '../../settings.ts'
import type { Operator } from '../operator-access.ts'

/** The app of the compact variant, and its callers. */
export type CompactApp = App<ErrorCode, { key: Operator; anonymous: undefined }>

/** Only the key: the compact variant has no sessions, so a browser's cookie gives no access here. */
export function compactAccess({ ApiKey, ApiKeyHeader }: BatchSignerSettings['Auth']): AccessScheme<Operator> {
  const header = ApiKeyHeader.toLowerCase()
  return {
    authenticate: (request) => {
      if (ApiKey === '') throw refuse('auth.misconfigured')
      // Node reads header bytes as Latin-1; a key with other characters is compared by the bytes sent.
      const given = Buffer.from(String(request.raw.headers[header] ?? ''), 'latin1')
      return sameSecret(given, Buffer.from(ApiKey)) ? { name: 'api-key', scheme: 'api-key' } : undefined
    },
    credentialOf: ({ name }) => name,
    security: { [ApiKeyHeader]: { type: 'apiKey', in: 'header', name: ApiKeyHeader } },
  }
}
