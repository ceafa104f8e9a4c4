// The way of a signature session through the public door: the application, and the person on the page.
import { callerOf, readAnswer } from '@chancela/testkit/service-world'
import { certificateOf, signedBy } from './pki.ts'
import { type Client, download, inline } from './signing.ts'

const tokenIn = (redirectUrl: string): string => new URL(redirectUrl).searchParams.get('token')!

/** Begins a session; what the application knows of it, and the person's calls. */
export async function begin(client: Client & { readonly baseUrl: string }, request: object) {
  const { status, body, text } = await client.json('POST', '/api/signature-sessions', request)
  if (status !== 200) throw new Error(`No session: ${text}`)
  const token = tokenIn(body.redirectUrl)
  return { id: body.sessionId as string, redirectUrl: body.redirectUrl as string, token, ...pageOf(client, token) }
}

/** The calls of the page. */
export function pageOf({ baseUrl }: { readonly baseUrl: string }, token: string) {
  const { call, json } = callerOf(baseUrl, { 'X-Signature-Session-Token': token })
  return {
    page: json,
    raw: call,
    bring: async (name: string, bytes: Uint8Array | string, type = 'application/octet-stream') =>
      readAnswer(
        await call('POST', `/api/signature-session/documents?name=${encodeURIComponent(name)}`, {
          body: Buffer.from(bytes),
          headers: { 'content-type': type },
        }),
      ),
  }
}

export type Page = Pick<ReturnType<typeof pageOf>, 'page'>

export const setCertificate = ({ page }: Page, label: string) =>
  page('POST', '/api/signature-session/certificate', { certificate: certificateOf(label) })

type ToSign = { readonly id: string; readonly toSign: { readonly data: string } }

/** What the key of a holder makes of what was prepared. */
export const signaturesOf = (label: string, prepared: { state: string; documents: readonly ToSign[] }) => ({
  state: prepared.state,
  signatures: prepared.documents.map(({ id, toSign }) => ({ documentId: id, signature: signedBy(label, toSign.data) })),
})

export const submit = ({ page }: Page, request: object) => page('POST', '/api/signature-session/signatures', request)

/** The person signs everything. */
export async function signAll(page: Page, label: string) {
  const { body, text } = await setCertificate(page, label)
  if (!body?.success) throw new Error(`Not prepared: ${text}`)
  return submit(page, signaturesOf(label, body))
}

export const readSession = async ({ json }: Client, id: string) =>
  (await json('GET', `/api/signature-sessions/${id}`)).body

/** The signed bytes of the documents of a session. */
export const signedFiles = (session: { documents: readonly { signedFile: { url: string } }[] }) =>
  Promise.all(session.documents.map(({ signedFile }) => download(signedFile.url)))

export const pdfDocument = (bytes: Uint8Array, name = 'contract.pdf') => ({ file: inline(name, bytes) })
