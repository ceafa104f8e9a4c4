// Users of an organization, and the browsers they sign in with.
import { administration } from './administration.ts'
import type { PlatformWorld } from './platform-world.ts'

export const PASSWORD = 'uma senha comprida'

/** A user of the world's organization who can sign in: the administration sets the password. */
export async function newUser(world: PlatformWorld, over: object = {}) {
  const email = `${crypto.randomUUID()}@example.com`
  const user = { name: 'Ana Souza', email, password: PASSWORD, accessProfile: { administrator: true }, ...over }
  const path = `/api/organizations/${world.organization.id}/users`
  const { status, body } = await administration(world)('POST', path, user)
  if (status !== 200) throw new Error(`Not added: ${JSON.stringify(body)}`)
  return { id: body.id as string, email: body.email as string }
}

/** A browser: it keeps the cookie it was given. */
export function browserOf({ baseUrl }: Pick<PlatformWorld, 'baseUrl'>) {
  let cookie: string | undefined
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const set = answer.headers.get('set-cookie')
    if (set !== null) cookie = set.split(';')[0]
    const text = await answer.text()
    const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, body: isJson && text !== '' ? JSON.parse(text) : text || undefined, set }
  }
  const signIn = (email: string, password = PASSWORD) => call('POST', '/api/session', { email, password })
  return { call, signIn }
}

/** A user of the world's organization at a browser of their own. */
export async function signedIn(world: PlatformWorld, over: object = {}) {
  const user = await newUser(world, over)
  const browser = browserOf(world)
  const { status } = await browser.signIn(user.email)
  if (status !== 200) throw new Error(`Not signed in: ${status}`)
  return { ...user, ...browser }
}
