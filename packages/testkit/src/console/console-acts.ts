// What administrators do at a console, route by route, and the event that each act leaves.
import { routesOf } from '@chancela/service-kernel/http'
import { type Browser, browserOf, codeOf, newAdministrator, PASSWORD, signedIn } from './browsers.ts'

/** The client behind the proxy, which the settings of the console have to trust: `Console: { TrustedProxies }`. */
const CLIENT = { 'X-Forwarded-For': '203.0.113.7' }

type World = Parameters<typeof signedIn>[0]

/** Somebody who is signed in, and calls from behind the proxy. */
export interface ActSite {
  readonly world: World
  readonly email: string
  readonly secret: string
  readonly call: Browser['call']
  /** Makes something, and answers what was made. */
  // biome-ignore lint/suspicious/noExplicitAny: what routes answer has every shape.
  made(path: string, body?: object, method?: string): Promise<any>
}

/** The type of the event; whether it says what was and what is; and a call that changes something. */
export type ConsoleAct = readonly [
  type: string,
  changed: 'changed' | 'same',
  act: (site: ActSite) => Promise<{ readonly status: number; readonly text: string }>,
]

export type ConsoleActs = Readonly<Record<string, ConsoleAct>>

const someone = () => ({ name: 'Rui Lima', email: `${crypto.randomUUID()}@example.com`, password: PASSWORD })

/** Signed in once more, elsewhere. */
async function elsewhere({ world, email, secret }: ActSite) {
  await browserOf(world).signIn(email, codeOf(secret, world.clock()))
}

/** What every console serves. */
const commonActs: ConsoleActs = {
  'POST /api/session': [
    'AdministratorSignedIn',
    'same',
    ({ world, email, secret }) => browserOf(world).signIn(email, codeOf(secret, world.clock()), PASSWORD, CLIENT),
  ],
  'PUT /api/session/password': [
    'PasswordChanged',
    'same',
    ({ call }) => call('PUT', '/api/session/password', { password: PASSWORD, newPassword: 'um trem para as onze' }),
  ],
  'POST /api/session/second-factor/recovery-codes': [
    'RecoveryCodesMade',
    'same',
    ({ call }) => call('POST', '/api/session/second-factor/recovery-codes'),
  ],
  'DELETE /api/session/sessions': [
    'SessionsEnded',
    'same',
    async (site) => {
      await elsewhere(site)
      return site.call('DELETE', '/api/session/sessions')
    },
  ],
  'DELETE /api/session/sessions/{id}': [
    'SessionsEnded',
    'same',
    async (site) => {
      await elsewhere(site)
      const { body } = await site.call('GET', '/api/session/sessions')
      const { id } = body.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
      return site.call('DELETE', `/api/session/sessions/${id}`)
    },
  ],
  'POST /api/administrators/sign-out': [
    'SessionsEnded',
    'same',
    async ({ world, call }) => call('POST', '/api/administrators/sign-out', { email: (await signedIn(world)).email }),
  ],
  'POST /api/administrators': [
    'AdministratorCreated',
    'changed',
    ({ call }) => call('POST', '/api/administrators', someone()),
  ],
  'PUT /api/administrators/{id}/role': [
    'AdministratorRoleChanged',
    'changed',
    async ({ world, call }) =>
      call('PUT', `/api/administrators/${(await newAdministrator(world)).id}/role`, { role: 'auditor' }),
  ],
  'DELETE /api/administrators/{id}': [
    'AdministratorRemoved',
    'changed',
    async ({ world, call }) => call('DELETE', `/api/administrators/${(await newAdministrator(world)).id}`),
  ],
  'DELETE /api/administrators/{id}/second-factor': [
    'SecondFactorReset',
    'changed',
    async ({ world, call }) => call('DELETE', `/api/administrators/${(await signedIn(world)).id}/second-factor`),
  ],
}

const aName = () => ({ name: `app ${crypto.randomUUID()}` })

const application = async ({ made }: ActSite): Promise<string> =>
  `/api/applications/${(await made('/api/applications', aName())).id}`

/** Applications and their keys, where a console has no more to say of them than the others. */
export const applicationActs: ConsoleActs = {
  'POST /api/applications': ['ApplicationCreated', 'changed', ({ call }) => call('POST', '/api/applications', aName())],
  'PUT /api/applications/{id}': [
    'ApplicationDisabled',
    'changed',
    async (site) => site.call('PUT', await application(site), { disabled: true }),
  ],
  'POST /api/applications/{id}/keys': [
    'ApiKeyCreated',
    'changed',
    async (site) => site.call('POST', `${await application(site)}/keys`, { description: 'x' }),
  ],
  'DELETE /api/keys/{id}': [
    'ApiKeyRevoked',
    'changed',
    async (site) => {
      const { id } = await site.made(`${await application(site)}/keys`, { description: 'x' })
      return site.call('DELETE', `/api/keys/${id}`)
    },
  ],
}

const passkeys = 'console-passkeys.test.ts of the session server: PasskeyAdded, PasskeyRenamed, PasskeyRemoved'

/** What leaves no event, or needs more than is here. */
const commonReasons: Readonly<Record<string, string>> = {
  'DELETE /api/session': 'the session is gone from the list',
  'POST /api/session/second-factor': 'nothing is set before the code is confirmed',
  'PUT /api/session/second-factor': 'whoever signs in here has set one: SecondFactorSet',
  'POST /api/session/proof': 'it opens a window of minutes; wrong ones count as wrong sign-ins do',
  'POST /api/session/proof/question': 'it asks a question',
  'POST /api/session/proof/passkey': 'it opens a window of minutes',
  'POST /api/session/passkey/question': 'it asks a question',
  'POST /api/session/passkey': passkeys,
  'POST /api/session/passkeys/question': 'it asks a question',
  'POST /api/session/passkeys': passkeys,
  'PUT /api/session/passkeys/{id}': passkeys,
  'DELETE /api/session/passkeys/{id}': passkeys,
}

interface ConsoleWalk {
  readonly world: World
  readonly app: Parameters<typeof routesOf>[0]
  readonly acts: ConsoleActs
  /** Routes that are not called, with the reason. */
  readonly reasons?: Readonly<Record<string, string>>
}

const plain = (name: string): string => name.replaceAll(/\{\w+\}/g, '{}')

/** Every route that changes something, and what is wrong with its event; one that nobody names is wrong, too. */
export async function walkConsole({ world, app, acts, reasons = {} }: ConsoleWalk): Promise<readonly string[]> {
  const all = { ...commonActs, ...acts }
  const named = [...Object.keys(all), ...Object.keys(commonReasons), ...Object.keys(reasons)].map(plain)
  const served = routesOf(app)
    .filter(({ route }) => route.method !== 'GET')
    .map(({ route, template }) => plain(`${route.method} ${template}`))
  const problems = [
    ...served.filter((route) => !named.includes(route)).map((route) => `${route} is not named`),
    ...named.filter((route) => !served.includes(route)).map((route) => `${route} is not served`),
  ]
  for (const [route, act] of Object.entries(all)) {
    const wrong = await problemOf(world, act)
    if (wrong !== undefined) problems.push(`${route}: ${wrong}`)
  }
  return problems
}

async function problemOf(world: World, [type, changed, act]: ConsoleAct): Promise<string | undefined> {
  const browser = await signedIn(world)
  const call: Browser['call'] = (method, path, body, headers) =>
    browser.call(method, path, body, { ...CLIENT, ...headers })
  const made: ActSite['made'] = async (path, body, method = 'POST') => {
    const answer = await call(method, path, body)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
    return answer.body
  }
  const { status, text } = await act({ world, email: browser.email, secret: browser.secret, call, made })
  if (status >= 300) return `${status} ${text}`
  const query = `type=${type}&q=${encodeURIComponent(browser.email)}`
  const { body } = await call('GET', `/api/events?${query}`)
  const event = body.items?.find(
    ({ actor, address }: { actor: string; address: string }) =>
      actor === browser.email && address === CLIENT['X-Forwarded-For'],
  )
  if (!event) return `no ${type} of ${browser.email} from ${CLIENT['X-Forwarded-For']}`
  if (text.includes('"key"') && JSON.stringify(event).includes(JSON.parse(text).key)) return 'it tells the key'
  const isChanged =
    event.changes !== null && Object.keys({ ...event.changes.before, ...event.changes.after }).length > 0
  return isChanged === (changed === 'changed') ? undefined : `changes: ${JSON.stringify(event.changes)}`
}
