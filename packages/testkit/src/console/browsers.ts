// Administrators' browsers: each stores its cookies.

import { type AdministratorTables, administratorOperator } from '@chancela/admin-console'
import type { ConsoleRole } from '@chancela/admin-console/contract'
import { SECOND } from '@chancela/service-kernel/clock'
import { hashPassword } from '@chancela/service-kernel/secrets'
import type { Store } from '@chancela/service-kernel/store'
import { TOTP } from 'otpauth'
import type { TestClock } from '../clock/index.ts'

export const PASSWORD = 'uma senha bem comprida'

/** A running service with a console. */
interface World {
  readonly consoleUrl: string
  /** Any tables that include the administrators'. */
  readonly store: Pick<Store<never>, 'service'>
  readonly clock: TestClock
}

/** A parsed response. */
interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  readonly body: any
  readonly text: string
  readonly headers: Headers
}

/** Creates an administrator through the database, as the first one is. */
export async function newAdministrator(
  { clock, ...world }: Pick<World, 'store' | 'clock'>,
  over: { readonly email?: string; readonly password?: string; readonly role?: ConsoleRole } = {},
) {
  const email = over.email ?? `${crypto.randomUUID()}@example.com`
  const store = world.store as unknown as Store<AdministratorTables>
  const settings = { Auth: { PasswordCost: 10 } }
  const operator = administratorOperator({ store: store as unknown as Store<unknown>, settings, clock })
  const { password = PASSWORD, role = 'administrator' } = over
  await operator.create({ name: 'Ana Souza', email, password, role })
  const made = store.db.selectFrom('administrator').select('id').where('email', '=', email)
  const { id } = await made.executeTakeFirstOrThrow()
  return { id, email }
}

export type Browser = ReturnType<typeof browserOf>

/** A browser at the console. */
export function browserOf({ consoleUrl }: Pick<World, 'consoleUrl'>) {
  const jar = new Map<string, string>()
  const keep = (header: string) => {
    const [pair = '', ...attributes] = header.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/)
    if (attributes.includes('Max-Age=0')) jar.delete(name)
    else jar.set(name, value)
  }
  const visit = async (method: string, url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(new URL(url, consoleUrl), {
      method,
      redirect: 'manual',
      ...init,
      headers: { ...(cookie && { cookie }), ...(init.headers as Record<string, string> | undefined) },
    })
    for (const header of answer.headers.getSetCookie()) keep(header)
    return answer
  }
  const call = async (method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> =>
    readAnswer(
      await visit(method, path, {
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      }),
    )
  const signIn = (email: string, code?: string, password = PASSWORD, headers: object = {}) =>
    call('POST', '/api/session', { email, password, ...(code !== undefined && { code }) }, headers)
  return { consoleUrl, jar, visit, call, signIn }
}

/** Another browser with the cookies that this one has now, as a thief would have them. */
export function copyOf({ consoleUrl, jar }: Pick<Browser, 'consoleUrl' | 'jar'>): Browser {
  const copy = browserOf({ consoleUrl })
  for (const [name, value] of jar) copy.jar.set(name, value)
  return copy
}

async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, body: isJson ? JSON.parse(text) : text, text, headers: answer.headers }
}

/** How a call was refused. */
export const refusal = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body.error.code]

/** The code an authenticator app shows. */
export const codeOf = (secret: string, now: Date): string => new TOTP({ secret }).generate({ timestamp: now.getTime() })

/** Sets up an authenticator app, also in place of another one; advances the clock, so that the next code differs. */
export async function enrol(
  { call }: Browser,
  { clock }: Pick<World, 'clock'>,
  present?: { readonly secret: string },
): Promise<string> {
  const { secret } = (await call('POST', '/api/session/second-factor')).body
  const presentCode = present && { presentCode: codeOf(present.secret, clock()) }
  const { status } = await call('PUT', '/api/session/second-factor', { code: codeOf(secret, clock()), ...presentCode })
  if (status !== 200) throw new Error(`The authenticator app was not accepted: ${status}.`)
  clock.advance(30 * SECOND)
  return secret
}

/** More than are hashed and wait at the same time. */
const CROWD = 50

/**
 * So many passwords of callers at this machine's own address wait to be hashed that theirs are turned away, until the
 * crowd leaves. Whoever had their turn comes again at once, so that at no moment anybody else finds room.
 */
export function crowdOfPasswords(): { leave(): Promise<void> } {
  let isHere = true
  const keepTrying = async (): Promise<void> => {
    while (isHere) await hashPassword(PASSWORD, 10, '127.0.0.1')
  }
  // Those who find no room are not needed.
  const everybody = Promise.allSettled(Array.from({ length: CROWD }, keepTrying))
  return {
    async leave() {
      isHere = false
      await everybody
    },
  }
}

/** A browser in which an administrator, or somebody in another role, has signed in with password and code. */
export async function signedIn(world: World, role: ConsoleRole = 'administrator') {
  const { id, email } = await newAdministrator(world, { role })
  const browser = browserOf(world)
  await browser.signIn(email)
  const secret = await enrol(browser, world)
  return { ...browser, id, email, secret }
}
