import { Pool, request } from 'undici'
import type { HashSigners } from '../documents/hash-signers.ts'
import { pdfSamples } from '../signatures/sample-documents.ts'
import type { Holder } from '../signatures/signing-world.ts'
import type { CoreService } from './core-service.ts'

/** A client application whose user has the key. */
export class SignatureCalls {
  readonly #pool: Pool
  readonly #headers: Readonly<Record<string, string>>
  readonly #signers: HashSigners
  readonly #preparation: string

  constructor({ baseUrl, apiKey }: CoreService, { certificate }: Holder, signers: HashSigners, connections: number) {
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
    type Prepared = { readonly state: string; readonly toSignHash: { readonly value: string } }
    const { state, toSignHash } = await this.#post<Prepared>('/api/signature', this.#preparation)
    const signature = await this.#signers.sign(toSignHash.value)
    const completion = JSON.stringify({ state, signature })
    type Completed = { readonly signedFile: { readonly url: string } }
    return (await this.#post<Completed>('/api/signature/completion', completion)).signedFile.url
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
