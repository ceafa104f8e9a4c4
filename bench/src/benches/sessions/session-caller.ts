import { Pool } from 'undici'
import { pdfSamples } from '../signatures/sample-documents.ts'
import type { SessionsService } from './sessions-service.ts'

/** What a signing call answered, and how long that took. */
export interface Signed {
  readonly status: number
  readonly ms: number
  readonly signatureId?: string
}

const BOUNDARY = 'chancela-bench'

/** A client application under one session, as an integrator writes one. */
export class SessionCaller {
  readonly #pool: Pool
  readonly #headers: Readonly<Record<string, string>>
  #sessionId = ''
  #json = ''
  #form: Buffer = Buffer.alloc(0)

  constructor({ baseUrl, apiKey }: Pick<SessionsService, 'baseUrl' | 'apiKey'>, connections: number) {
    this.#pool = new Pool(baseUrl, { connections })
    this.#headers = { 'x-api-key': apiKey }
  }

  async open(cpf: string, pin: string): Promise<string> {
    const { status, text } = await this.#post('/v1/sessions', 'application/json', JSON.stringify({ cpf, pin }))
    if (status !== 201) throw new Error(`No session: ${status} ${text}`)
    this.#sessionId = (JSON.parse(text) as { sessionId: string }).sessionId
    const document = pdfSamples['20 KB']()
    const fields = { sessionId: this.#sessionId, document: document.toString('base64'), fileName: 'contrato.pdf' }
    this.#json = JSON.stringify(fields)
    this.#form = form(this.#sessionId, 'document', [document])
    return this.#sessionId
  }

  async deactivate(sessionId: string): Promise<void> {
    const body = JSON.stringify({ sessionId })
    const { status, text } = await this.#post('/v1/sessions/deactivate', 'application/json', body)
    if (status !== 200) throw new Error(`Not deactivated: ${status} ${text}`)
  }

  signJson(): Promise<Signed> {
    return this.#sign('application/json', this.#json)
  }

  signForm(): Promise<Signed> {
    return this.#sign(`multipart/form-data; boundary=${BOUNDARY}`, this.#form)
  }

  /** How many of the documents of a batch were accepted. */
  async signBatch(documents: number): Promise<number> {
    const content = Array.from({ length: documents }, () => pdfSamples['20 KB']())
    const body = form(this.#sessionId, 'files', content)
    const { status, text } = await this.#post('/v1/signatures/batch', `multipart/form-data; boundary=${BOUNDARY}`, body)
    if (status !== 202) throw new Error(`No batch: ${status} ${text}`)
    const { results } = JSON.parse(text) as { results: readonly { readonly status: string }[] }
    return results.filter((result) => result.status === 'PROCESSING').length
  }

  async document(signatureId: string): Promise<Buffer> {
    const path = `/v1/signatures/${signatureId}/document`
    for (;;) {
      const { statusCode, body } = await this.#pool.request({ method: 'GET', path, headers: this.#headers })
      const bytes = Buffer.from(await body.arrayBuffer())
      if (statusCode === 200) return bytes
      if (statusCode !== 409) throw new Error(`The document answered ${statusCode}: ${bytes}`)
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #sign(type: string, body: string | Buffer): Promise<Signed> {
    const begun = performance.now()
    const { status, text } = await this.#post('/v1/signatures', type, body)
    const ms = performance.now() - begun
    if (status !== 202) return { status, ms }
    return { status, ms, signatureId: (JSON.parse(text) as { signatureId: string }).signatureId }
  }

  async #post(path: string, type: string, sent: string | Buffer): Promise<{ status: number; text: string }> {
    const headers = { ...this.#headers, 'content-type': type }
    const { statusCode, body } = await this.#pool.request({ method: 'POST', path, headers, body: sent })
    return { status: statusCode, text: await body.text() }
  }
}

function form(sessionId: string, field: string, documents: readonly Buffer[]): Buffer {
  const line = (text: string) => Buffer.from(`${text}\r\n`)
  const head = (disposition: string) => [line(`--${BOUNDARY}`), line(`Content-Disposition: form-data; ${disposition}`)]
  const parts = documents.flatMap((document, at) => [
    ...head(`name="${field}"; filename="contrato-${at}.pdf"`),
    line('Content-Type: application/pdf'),
    line(''),
    document,
    line(''),
  ])
  return Buffer.concat([...head('name="sessionId"'), line(''), line(sessionId), ...parts, line(`--${BOUNDARY}--`)])
}
