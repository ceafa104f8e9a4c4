import type { ConsoleRights, ConsoleRole } from '@chancela/admin-console/contract'
import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { type Browser, browserOf, copyOf, newAdministrator, signedIn } from '../console/index.ts'
import type { AuthMatrix, MatrixCaller, MatrixCallers } from './auth-matrix.ts'
import { anyOf, nothing, onlyReading, tampered } from './may.ts'

type World = Parameters<typeof signedIn>[0]

/** How a console refuses: nobody, somebody who has to do something first, or somebody in another role. */
const refusals: Readonly<Record<number, readonly string[]>> = {
  401: ['UNAUTHORIZED'],
  403: ['SECOND_FACTOR_REQUIRED', 'REAUTHENTICATION_REQUIRED', 'FORBIDDEN_FOR_ROLE'],
}

/** What every console has: routes that want no right, by their access, and its refusals. */
export const consoleMatrix = {
  open: [
    'GET /api/session/ways',
    'POST /api/session',
    'DELETE /api/session',
    'POST /api/session/passkey/question',
    'POST /api/session/passkey',
    'GET /api/session/oidc',
    'GET /oidc/callback',
    'GET /health',
    'GET /ready',
  ],
  weak: {
    visitor: [
      'GET /api/session',
      'POST /api/session/proof',
      'POST /api/session/proof/question',
      'POST /api/session/proof/passkey',
    ],
    'proven-visitor': [
      'POST /api/session/second-factor',
      'PUT /api/session/second-factor',
      'POST /api/session/passkeys/question',
      'POST /api/session/passkeys',
    ],
    account: [
      'GET /api/session/second-factor/recovery-codes',
      'PUT /api/session/password',
      'GET /api/session/sessions',
      'DELETE /api/session/sessions',
      'DELETE /api/session/sessions/{id}',
      'GET /api/session/passkeys',
    ],
    'proven-account': [
      'POST /api/session/second-factor/recovery-codes',
      'PUT /api/session/passkeys/{id}',
      'DELETE /api/session/passkeys/{id}',
    ],
  },
  refuses: ({ status, body }) => refusals[status]?.includes(body?.error?.code) ?? false,
} satisfies Partial<AuthMatrix>

const account = ['visitor', 'proven-visitor', 'account', 'proven-account']

/** Of the table of rights: what a role may, of it what needs no proof, besides everybody's own account. */
const allOf = (rights: ConsoleRights, role: ConsoleRole) =>
  Object.keys(rights).filter((right) => rights[right]!.roles.includes(role))
const unprovenOf = (rights: ConsoleRights, role: ConsoleRole) =>
  allOf(rights, role).filter((right) => rights[right]!.proven !== true)

const cookieOf = ({ jar }: Pick<Browser, 'jar'>) => ({ cookie: [...jar].map((pair) => pair.join('=')).join('; ') })

const by = (browser: Pick<Browser, 'jar'>, may: MatrixCaller['may'], headers: object = {}): MatrixCaller => ({
  headers: { ...cookieOf(browser), ...headers },
  may,
})

/**
 * Everybody who calls at a console with the settings of a new installation. Advances the clock by a night: what is older
 * than that, such as another caller's session, is over.
 */
export async function consoleCallers(world: World, apiKey: string, rights: ConsoleRights): Promise<MatrixCallers> {
  const idle = await signedIn(world)
  world.clock.advance(9 * HOUR)
  const unproven = await signedIn(world)
  world.clock.advance(11 * MINUTE)
  const fresh = await signedIn(world)
  const everything = anyOf(...account, ...allOf(rights, 'administrator'))
  return {
    nobody: { headers: {}, may: nothing },
    'an API key': { headers: { 'x-api-key': apiKey }, may: nothing },
    'an idle session': by(idle, nothing),
    'an administrator who proved long ago': by(
      unproven,
      anyOf('visitor', 'account', ...unprovenOf(rights, 'administrator')),
    ),
    'an administrator': by(fresh, everything),
    'an auditor': by(await signedIn(world, 'auditor'), anyOf(...account, ...allOf(rights, 'auditor'))),
    'somebody of the support': by(await signedIn(world, 'support'), anyOf(...account, ...allOf(rights, 'support'))),
    'an administrator who became an auditor': by(
      await demoted(world, fresh),
      anyOf(...account, ...allOf(rights, 'auditor')),
    ),
    "an administrator's browser at another site": by(fresh, onlyReading(everything), {
      'sec-fetch-site': 'cross-site',
    }),
    'an administrator without a second factor': by(await visitor(world), anyOf('visitor', 'proven-visitor')),
    'an administrator who signed out': by(await signedOut(world), nothing),
    'an administrator who was removed': by(await removed(world, fresh), nothing),
    'a cookie that was tampered with': by(tamperedWith(fresh), nothing),
  }
}

async function visitor(world: World): Promise<Browser> {
  const { email } = await newAdministrator(world)
  const browser = browserOf(world)
  await browser.signIn(email)
  return browser
}

/** The session is the one from before. */
async function demoted(world: World, by: Browser): Promise<Browser> {
  const browser = await signedIn(world)
  const { status } = await by.call('PUT', `/api/administrators/${browser.id}/role`, { role: 'auditor' })
  if (status !== 200) throw new Error(`The administrator did not become an auditor: ${status}.`)
  return browser
}

async function signedOut(world: World): Promise<Browser> {
  const browser = await signedIn(world)
  const copy = copyOf(browser)
  await browser.call('DELETE', '/api/session')
  return copy
}

async function removed(world: World, by: Browser): Promise<Browser> {
  const browser = await signedIn(world)
  const { status } = await by.call('DELETE', `/api/administrators/${browser.id}`)
  if (status !== 204) throw new Error(`The administrator was not removed: ${status}.`)
  return browser
}

/** The same cookies, each with another letter. */
function tamperedWith(browser: Browser): Browser {
  const copy = copyOf(browser)
  for (const [name, value] of copy.jar) copy.jar.set(name, tampered(value))
  return copy
}
