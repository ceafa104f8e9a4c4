// The path of a user: the client creates a session, the holder goes through the provider's pages, the hub redirects the
// user to the client.
import type { RunningCloudProvider, Walk } from '@chancela/testkit/cloud-provider'
import { registerRedirectUri } from '../../src/actions/redirect-uris.ts'
import { type Answer, type HubWorld, readAnswer } from './hub-world.ts'

/** The client's redirect URI. */
export const REDIRECT_URI = 'https://app.example/return'

/** The client's request, and what the holder does. */
export interface Journey extends Walk {
  /** Default: any provider of the simulator. */
  readonly serviceName?: string
  readonly type?: string | number
  readonly identifier?: string
  readonly lifetimeInSeconds?: number
  readonly customState?: string
  readonly redirectUri?: string
  readonly hashes?: readonly string[]
  readonly digestAlgorithm?: string
  readonly documents?: readonly { readonly name: string; readonly hash: string }[]
}

/** Goes the whole path; returns the session value. */
export async function authorizedSession(world: HubWorld, provider: RunningCloudProvider, journey: Journey) {
  const back = await returnedUser(world, provider, journey)
  const session = back.searchParams.get('session')
  if (session === null || back.searchParams.has('error')) throw new Error(`The user came back as ${back}.`)
  return session
}

/** Goes the whole path; returns the final URL. */
export async function returnedUser(world: HubWorld, provider: RunningCloudProvider, journey: Journey): Promise<URL> {
  const authUrl = await begunAuthorization(world, provider, journey)
  const first = journey.documents ? (await shownList(authUrl)).services[0].authUrl : authUrl
  return followedUser(world, provider, await provider.walk(first, journey), journey)
}

/** What the hub's page with the list of documents shows. */
export async function shownList(page: string) {
  const answer = await fetch(page.replace('/choose/', '/choices/'))
  if (answer.status !== 200) throw new Error(`The page of the list answered ${answer.status}.`)
  return (await readAnswer(answer)).body
}

/** Creates a session; returns the URL for the user. */
export async function begunAuthorization(
  world: HubWorld,
  provider: RunningCloudProvider,
  { holder: _, pin: _pin, decision: _decision, certificate: _certificate, serviceName, ...asked }: Partial<Journey>,
): Promise<string> {
  await allowRedirects(world)
  const body = { redirectUri: REDIRECT_URI, discover: false, ...asked }
  if (serviceName !== undefined) {
    return created(await world.json('POST', `/api/sessions/services/${serviceName}`, body)).authUrl
  }
  const { services } = created(await world.json('POST', '/api/sessions', body))
  const pages = new URL(provider.psc.baseUrl).origin
  return services.find(({ authUrl }: { authUrl: string }) => new URL(authUrl).origin === pages).authUrl
}

/** Follows a user from the provider to the hub, and back to the provider for further redirects. */
export async function followedUser(
  world: HubWorld,
  provider: RunningCloudProvider,
  location: string,
  walk: Walk,
): Promise<URL> {
  const answer = await fetch(location, { redirect: 'manual' })
  const next = answer.headers.get('location')
  if (next === null) throw new Error(`The hub answered ${answer.status}: ${await answer.text()}`)
  const isElsewhere = new URL(next).origin !== new URL(provider.psc.baseUrl).origin
  return isElsewhere ? new URL(next) : followedUser(world, provider, await provider.walk(next, walk), walk)
}

/** Registers a redirect URI for a key; by default those of the world. */
export const allowRedirects = (world: HubWorld, uri = REDIRECT_URI, keyId = world.client.keyId) =>
  registerRedirectUri(world.store.db, keyId, uri, world.clock())

function created({ status, body, text }: Answer) {
  if (status !== 200) throw new Error(`The session was not created: ${status} ${text}`)
  return body
}
