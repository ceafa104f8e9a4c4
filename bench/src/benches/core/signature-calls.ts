import { Pool, request } from 'undici'
import type { HashSigners } from '../documents/hash-signers.ts'
import { pdfSamples } from '../signatures/sample-documents.ts'
import type { Holder } from '../signatures/signing-world.ts'
import type { CoreService } from './core-service.ts'

export const PREPARATION = '/api/signature'
export const COMPLETION = '/api/signature/completion'

interface Prepared {
  readonly state: string
  readonly toSignHash: { readonly value: string }
}

interface Completed {
  readonly signedFile: { readonly url: string }
}

/** What a server answers to the two calls, and the signed file in base64. */
export interface SignatureAnswers {
  readonly prepared: Prepared
  readonly completed: Completed
  readonly signed: string
}

/** A client application whose user has the key. */
export class SignatureCalls {
  readonly #pool: Pool
  readonly #headers: Readonly<Record<string, string>>
  readonly #signers: HashSigners
  readonly #preparation: string

  constructor(
    { baseUrl, apiKey }: Pick<CoreService, 'baseUrl' | 'apiKey'>,
    { certificate }: Holder,
    signers: HashSigners,
    connections: number,
  ) {
    this.#pool = new Pool(baseUrl, { connections })
    this.#headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    this.#signers = signers
    this.#preparation = JSON.stringify({
      file: { name: 'contract.pdf', content: pdfSamples['20 KB']().toString('base64') },
      certificate: { content: certificate.der.toString('base64') },
    })
  }

  /** Returns the address of the signed file. */
  async sign(): Promise<string> {
    return (await this.#both()).completed.signedFile.url
  }

  /** Both answers, once. */
  async answers(): Promise<SignatureAnswers> {
    const answers = await this.#both()
    return { ...answers, signed: (await this.content(answers.completed.signedFile.url)).toString('base64') }
  }

  async #both(): Promise<Omit<SignatureAnswers, 'signed'>> {
    const prepared = await this.#post<Prepared>(PREPARATION, this.#preparation)
    const signature = await this.#signers.sign(prepared.toSignHash.value)
    const completed = await this.#post<Completed>(COMPLETION, JSON.stringify({ state: prepared.state, signature }))
    return { prepared, completed }
  }

  async content(url: string): Promise<Buffer> {
    const { statusCode, body } = await request(url)
    if (statusCode !== 200) throw new Error(`The file answered ${statusCode}.`)
    return Buffer.from(await body.arrayBuffer())
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #post<Answer>(path: string, sent: string): Promise<Answer> {
    const { statusCode, body } = await this.#pool.request({ method: 'POST', path, headers: this.#headers, body: sent })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`)
    return JSON.parse(text) as Answer
  }
}
