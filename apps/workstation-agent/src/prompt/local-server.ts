// A server for pages on 127.0.0.1, on a random port.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { negotiate } from '@chancela/service-kernel/i18n'
import { type PromptLanguage, promptTexts } from './texts.ts'

const MAX_FORM_BYTES = 4_096

export const newSecret = (): string => randomBytes(32).toString('base64url')

type Answer = (server: Server, request: IncomingMessage, response: ServerResponse) => Promise<void>

export function listenHere(answer: Answer): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ requestTimeout: 30_000, maxHeaderSize: 16_384 }, (request, response) => {
      answer(server, request, response).catch(() => response.destroy())
    })
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

/** What a browser calls it. */
export const hostOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo | null)?.port}`

export const languageOf = ({ headers }: IncomingMessage): PromptLanguage =>
  negotiate(headers['accept-language'], promptTexts.languages, 'pt-BR')

/** A submitted form. */
export async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_FORM_BYTES) throw new Error('The form is too large.')
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
