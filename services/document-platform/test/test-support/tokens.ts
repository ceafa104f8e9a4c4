// The session server and holders with tokens for tests of the platform: the real server, the real agent, SoftHSM2.
import { vi } from 'vitest'
// The starters of the session server's own tests: the platform is tested against the real one.
import { clock, rootsFile } from '../../../session-server/test/test-support/pki.ts'
import type { SessionWorld } from '../../../session-server/test/test-support/session-world.ts'
import type { TokenStation } from '../../../session-server/test/test-support/workstation.ts'

/** The host of the platform, as its visitors know it. */
export const SITE = 'documentos.example'

/** Settings of a platform whose participants' tokens are at a session server. */
export const withTokens = ({ baseUrl, client }: Pick<SessionWorld, 'baseUrl' | 'client'>) => ({
  Http: { PublicUrl: `https://${SITE}` },
  Signing: { TrustAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.1/32'] },
  SessionServer: { Endpoint: baseUrl, ApiKey: client.apiKey },
})

/** Of the PKI that issued the certificates on the tokens. */
export { clock as tokenClock }

/** The holder of a station as a participant. */
export const personAt = ({ cpf }: Pick<TokenStation, 'cpf'>) => ({
  name: `Portador ${cpf}`,
  identifier: cpf,
  email: `${cpf}@example.com`,
})

/** Looks until it has ended; returns how. */
export const untilEnded = (
  look: () => Promise<{ readonly body: { readonly state: string; readonly outcome: string } }>,
) =>
  vi.waitUntil(
    async () => {
      const { body } = await look()
      return body.state === 'ended' && body.outcome
    },
    { interval: 20 },
  )
