import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { type Browser, browserOf, copyOf, newAdministrator, signedIn } from '../console/index.ts'
import type { AuthMatrix, MatrixCaller, MatrixCallers } from './auth-matrix.ts'
import { anyOf, nothing, onlyReading, tampered } from './may.ts'

type World = Parameters<typeof signedIn>[0]

/** How a console refuses: nobody, or somebody who has to do something first. */
const refusals: Readonly<Record<number, readonly string[]>> = {
  401: ['UNAUTHORIZED'],
  403: ['SECOND_FACTOR_REQUIRED', 'REAUTHENTICATION_REQUIRED'],
}

/** What every console has: routes that want less than an administrator, by their access, and its refusals. */
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
  },
  refuses: ({ status, body }) => refusals[status]?.includes(body?.error?.code) ?? false,
} satisfies Partial<AuthMatrix>

const everything = anyOf('visitor', 'proven-visitor', 'administrator', 'proven')

const cookieOf = ({ jar }: Pick<Browser, 'jar'>) => ({ cookie: [...jar].map((pair) => pair.join('=')).join('; ') })

const by = (browser: Pick<Browser, 'jar'>, may: MatrixCaller['may'], headers: object = {}): MatrixCaller => ({
  headers: { ...cookieOf(browser), ...headers },
  may,
})

/**
 * Everybody who calls at a console with the settings of a new installation. Advances the clock by a night: what is older
 * than that, such as another caller's session, is over.
 */
export async function consoleCallers(world: World, apiKey: string): Promise<MatrixCallers> {
  const idle = await signedIn(world)
  world.clock.advance(9 * HOUR)
  const unproven = await signedIn(world)
  world.clock.advance(11 * MINUTE)
  const fresh = await signedIn(world)
  return {
    nobody: { headers: {}, may: nothing },
    'an API key': { headers: { 'x-api-key': apiKey }, may: nothing },
    'an idle session': by(idle, nothing),
    'an administrator who proved long ago': by(unproven, anyOf('visitor', 'administrator')),
    'an administrator': by(fresh, everything),
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
