// A real identity provider on this machine, and people who sign in at its pages.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { browserOf } from '@chancela/testkit/console'
import { Provider } from 'oidc-provider'

/** What the provider knows of a person, by the name they sign in with. */
export interface Account {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly preferred_username?: string
  readonly roles?: readonly string[] | string
}

export const client = { id: 'console', secret: 'the secret of the console at the provider' }

interface ProviderOptions {
  readonly accounts: Readonly<Record<string, Account>>
  readonly redirectUris: readonly string[]
  /** Whether the address is in the token itself, as with some providers. */
  readonly claimsInToken?: boolean
  readonly clientSecret?: string
  /** Whether the token names the session at the provider. */
  readonly tellsSession?: boolean
}

/** A reserved address of a provider; nothing answers before it is opened and after it is shut. */
export async function reserveIdentityProvider() {
  const never: RequestListener = (request) => void request.socket.destroy()
  let answer = never
  const server: Server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    open(options: ProviderOptions) {
      answer = new Provider(issuer, configurationOf(options)).callback()
    },
    shut() {
      answer = never
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwks = { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }] }

/** A client that asks to be told of sign-outs is told the session. Nothing listens there. */
const toldSession = {
  backchannel_logout_uri: 'http://127.0.0.1:9/signed-out',
  backchannel_logout_session_required: true,
}

const configurationOf = ({
  accounts,
  redirectUris,
  claimsInToken,
  clientSecret = client.secret,
  tellsSession = false,
}: ProviderOptions) => ({
  clients: [
    {
      client_id: client.id,
      client_secret: clientSecret,
      redirect_uris: redirectUris,
      ...(tellsSession && toldSession),
    },
  ],
  features: { backchannelLogout: { enabled: tellsSession } },
  findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'roles'] },
  conformIdTokenClaims: claimsInToken !== true,
  pkce: { required: () => true },
  cookies: { keys: ['a key of the test'] },
  jwks,
})

/** Goes through the provider's pages like a person; returns the URL its last page redirects to. */
export async function signInAtProvider(url: string, login: string): Promise<string> {
  const { visit } = browserOf({ consoleUrl: url })
  let at = url
  for (;;) {
    if (!at.startsWith(new URL(url).origin)) return at
    let answer = await visit('GET', at)
    if (answer.status === 200) answer = await submit(visit, await answer.text(), login)
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
    at = new URL(location, at).href
  }
}

function submit(visit: ReturnType<typeof browserOf>['visit'], page: string, login: string): Promise<Response> {
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
  const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? []
  const body = new URLSearchParams({ prompt, login, password: 'whatever' })
  return visit('POST', action, { body })
}

/** The same, but aborts at the first page. */
export async function turnBackAtProvider(url: string): Promise<string> {
  const { visit } = browserOf({ consoleUrl: url })
  const first = new URL((await visit('GET', url)).headers.get('location')!, url).href
  const [, abort = ''] = /href="([^"]+\/abort)"/.exec(await (await visit('GET', first)).text()) ?? []
  const back = (await visit('GET', abort)).headers.get('location')!
  return (await visit('GET', back)).headers.get('location')!
}
