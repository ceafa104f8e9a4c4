import type { AccessScheme, App } from '@chancela/service-kernel/http'
import { sameSecret } from '@chancela/service-kernel/secrets'
import type { ErrorCode } from '../../contract/errors.ts'
import { refuse } from '../../rules/refuse.ts'
import type { BatchSignerSettings } from '../../settings.ts'
import { keyHolder, type Operator } from '../operator-access.ts'

/** The app of the compact variant, and its callers. */
export type CompactApp = App<ErrorCode, { key: Operator; anonymous: undefined }>

type Request = Parameters<AccessScheme['authenticate']>[0]

/** Whether a call has the key. */
export function keyReader({ ApiKey, ApiKeyHeader }: BatchSignerSettings['Auth']): (request: Request) => boolean {
  const header = ApiKeyHeader.toLowerCase()
  return ({ raw }) => {
    // Node reads header bytes as Latin-1; a key with other characters is compared by the bytes sent.
    const given = Buffer.from(String(raw.headers[header] ?? ''), 'latin1')
    return ApiKey !== '' && sameSecret(given, Buffer.from(ApiKey))
  }
}

/** Only the key: the compact variant has no sessions, so a browser's cookie gives no access here. */
export function compactAccess(auth: BatchSignerSettings['Auth']): AccessScheme<Operator> {
  const { ApiKey, ApiKeyHeader } = auth
  const hasKey = keyReader(auth)
  return {
    authenticate: (request) => {
      if (ApiKey === '') throw refuse('auth.misconfigured')
      return hasKey(request) ? keyHolder(request) : undefined
    },
    credentialOf: ({ name }) => name,
    security: { [ApiKeyHeader]: { type: 'apiKey', in: 'header', name: ApiKeyHeader } },
  }
}
