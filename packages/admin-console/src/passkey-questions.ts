// Questions to passkeys (challenges): random, of one browser, for one purpose, answered once within minutes.
import { randomBytes, randomUUID } from 'node:crypto'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { type Call, endedSessions, readCookie, setCookie } from '@chancela/service-kernel/http'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import type { ConsoleContext } from './console-context.ts'

type Request = Call['request']

/** What is asked for, and of whom: a session that is proved, an administrator who gets a passkey; anybody signs in. */
export type Purpose =
  | { readonly what: 'sign-in' }
  | { readonly what: 'proof'; readonly who: string }
  | { readonly what: 'passkey'; readonly who: string }

/** The content of the cookie of a browser that was asked. */
type Asked = Purpose & {
  readonly id: string
  readonly challenge: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Time to find the phone, in milliseconds. */
export const ASKED_FOR = 5 * MINUTE

const CONTEXT = 'console-passkey-question'

type QuestionContext = Pick<ConsoleContext, 'settings' | 'store' | 'secrets' | 'clock'>

/**
 * A question is in a sealed cookie, so that strangers who ask for many fill no table, and any process takes the answer.
 * Only that it was answered is stored, until it would be over by itself.
 */
export class PasskeyQuestions {
  readonly #context: QuestionContext

  constructor(context: QuestionContext) {
    this.#context = context
  }

  ask(purpose: Purpose): { readonly challenge: string; readonly cookie: string } {
    const { secrets, clock } = this.#context
    const challenge = randomBytes(32).toString('base64url')
    const asked: Asked = { ...purpose, id: randomUUID(), challenge, until: clock().getTime() + ASKED_FOR }
    const cookie = setCookie(this.#cookieName, secrets.seal(JSON.stringify(asked), CONTEXT), {
      sameSite: 'Strict',
      maxAgeSeconds: ASKED_FOR / SECOND,
    })
    return { challenge, cookie }
  }

  /** The challenge that this browser was asked, for the first answer alone; undefined when it was not. */
  async take(request: Request, purpose: Purpose): Promise<string | undefined> {
    const { store, clock } = this.#context
    const asked = this.#asked(request)
    const now = clock()
    if (!asked || now.getTime() >= asked.until || !isFor(asked, purpose)) return undefined
    const isFirst = await endedSessions(store).note(asked.id, new Date(asked.until), now)
    return isFirst ? asked.challenge : undefined
  }

  get #cookieName(): string {
    return `${this.#context.settings.Auth.CookieName}-passkey`
  }

  #asked(request: Request): Asked | undefined {
    const sealed = readCookie(request.raw.headers.cookie, this.#cookieName)
    if (sealed === undefined) return undefined
    try {
      return JSON.parse(this.#context.secrets.openText(sealed, CONTEXT)) as Asked
    } catch (error) {
      // Anybody can send a cookie; one that cannot be opened asked nothing.
      if (error instanceof SecretProblem) return undefined
      throw error
    }
  }
}

const whoOf = (purpose: Purpose): string | undefined => ('who' in purpose ? purpose.who : undefined)

const isFor = (asked: Asked, purpose: Purpose): boolean =>
  asked.what === purpose.what && whoOf(asked) === whoOf(purpose)
