import { ChancelaConnectionError, createSessionClient, isSessionError } from '@chancela/client/session-server'

const client = createSessionClient({
  baseUrl: process.env.SESSION_SERVER_URL ?? 'http://localhost:8081',
  apiKey: process.env.SESSION_SERVER_KEY ?? '',
})

/** The signed document, or why there is none. It needs the signature id only, not the session it was signed under. */
async function fetchSigned(signatureId: string): Promise<string> {
  try {
    const { bytes } = await client.waitForDocument(signatureId, { timeoutMs: 30_000 })
    return `${bytes.length} bytes`
  } catch (error) {
    if (isSessionError(error, 'DOCUMENT_NOT_READY')) return 'not signed yet: ask again later'
    if (isSessionError(error, 'DOCUMENT_UNAVAILABLE')) return `will never be signed: ${JSON.stringify(error.details)}`
    if (isSessionError(error, 'DOCUMENT_NOT_FOUND')) return 'unknown here'
    if (error instanceof ChancelaConnectionError) return `no answer (${error.reason})`
    throw error
  }
}

console.log(await fetchSigned('11111111-2222-3333-4444-555555555555'))
