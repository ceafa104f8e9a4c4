// The session server and holders with tokens, for tests of the PKI core: the real server, the real agent, SoftHSM2.
import { vi } from 'vitest'
import { rootsFile, clock as tokenClock } from '../../../session-server/test/test-support/pki.ts'
import { type SessionWorld, sharedSessionServer } from '../../../session-server/test/test-support/session-world.ts'
import { TOKEN_PIN, type TokenStation } from '../../../session-server/test/test-support/workstation.ts'

/** Of the session server, and of the PKI that issued the certificates on its tokens. */
export { tokenClock }

/** A session server for the tests of a file. */
export const sharedTokens = (): (() => SessionWorld) =>
  sharedSessionServer('SQLite', { settings: { Approvals: { QuietSeconds: 0 } } })

/** Settings of a core whose signers have tokens at a session server. */
export const withTokens = ({ baseUrl, client }: Pick<SessionWorld, 'baseUrl' | 'client'>) => ({
  SecurityContexts: { PkiBrazilAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.1/32'] },
  SessionServer: { Endpoint: baseUrl, ApiKey: client.apiKey },
})

/** Approves in the next window of the agent; returns what stood there. */
export async function approve({ desktop }: Pick<TokenStation, 'desktop'>, pin = TOKEN_PIN) {
  const page = await desktop.nextPage()
  await page.send({ action: 'continue', choice: '0', pin })
  return page
}

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
