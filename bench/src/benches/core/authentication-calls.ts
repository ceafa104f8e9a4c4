import { sign } from 'node:crypto'
import { Pool } from 'undici'
import type { Holder } from '../signatures/signing-world.ts'

export const PREPARATION = '/api/v2/authentication'
export const COMPLETION = '/api/v2/authentication/completion'

/** What a server answers to the two calls. */
export interface Answers {
  readonly prepared: { readonly state: string; readonly toSign: { readonly data: string } }
  readonly completed: { readonly success: boolean }
}

/** Preparations under way while signatures are made. */
const SIGNING_LANES = 8

/** A client application; holders sign before the time is taken, because their keys are elsewhere. */
export class AuthenticationCalls {
  readonly #pool: Pool
  readonly #headers: Readonly<Record<string, string>>
  readonly #holder: Holder
  readonly #certificate: string
  #signed: string[] = []
  #always: string | undefined

  constructor(baseUrl: string, apiKey: string, holder: Holder, connections: number) {
    this.#pool = new Pool(baseUrl, { connections })
    this.#headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    this.#holder = holder
    this.#certificate = holder.certificate.der.toString('base64')
  }

  /** Prepares this many authentications and signs them. */
  async sign(count: number): Promise<void> {
    const lane = async () => {
      while (this.#signed.length < count) this.#signed.push(this.#proof(await this.#prepare()))
    }
    await Promise.all(Array.from({ length: SIGNING_LANES }, lane))
  }

  /** For a server that uses nothing up. */
  async signOnce(): Promise<void> {
    this.#always ??= this.#proof(await this.#prepare())
  }

  /** One preparation, and the completion of one that was signed before; false when none is left. */
  async both(): Promise<boolean> {
    const proof = this.#always ?? this.#signed.pop()
    if (proof === undefined) return false
    await this.#post(PREPARATION, '{}')
    const text = await this.#post(COMPLETION, proof)
    if (!text.includes('"success":true')) throw new Error(`Not authenticated: ${text.slice(0, 500)}`)
    return true
  }

  /** Both answers, once. */
  async answers(): Promise<Answers> {
    const prepared = await this.#prepare()
    const completed = JSON.parse(await this.#post(COMPLETION, this.#proof(prepared))) as Answers['completed']
    if (!completed.success) throw new Error('Not authenticated.')
    return { prepared, completed }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #prepare(): Promise<Answers['prepared']> {
    return JSON.parse(await this.#post(PREPARATION, '{}'))
  }

  #proof({ state, toSign }: Answers['prepared']): string {
    const signature = sign('sha256', Buffer.from(toSign.data, 'base64'), this.#holder.privateKey).toString('base64')
    return JSON.stringify({ state, certificate: this.#certificate, signature })
  }

  async #post(path: string, body: string): Promise<string> {
    const { statusCode, body: answer } = await this.#pool.request({
      method: 'POST',
      path,
      headers: this.#headers,
      body,
    })
    const text = await answer.text()
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`)
    return text
  }
}
