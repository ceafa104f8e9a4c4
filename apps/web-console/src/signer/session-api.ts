import type { AnswerOf } from '@chancela/admin-console/contract'
import type {
  beginSessionCloud,
  beginSessionToken,
  lookSessionToken,
  readSessionPage,
  setSessionCertificate,
} from '@chancela/pki-core/contract'

/** The session of the address. */
export type Session = AnswerOf<typeof readSessionPage>
export type SessionDocument = Session['documents'][number]
export type Prepared = AnswerOf<typeof setSessionCertificate>

/** A refusal by its code; `unreachable` where nothing answered. */
export class SessionProblem extends Error {
  override readonly name = 'SessionProblem'
  readonly code: string
  /** What is wrong with a certificate, in the language of the page, or what is said against a file. */
  readonly reasons: readonly string[]

  constructor(code: string, reasons: readonly string[] = []) {
    super(code)
    this.code = code
    this.reasons = reasons
  }
}

const parameters = () => new URLSearchParams(location.search)

const token = (): string => parameters().get('token') ?? ''

/** How a signature with a cloud certificate ended, for whoever comes back from the provider. */
export const cloudOutcome = (): string | undefined => parameters().get('cloud') ?? undefined

/** This page in a window of its own, for signing with a cloud certificate. */
export const windowAddress = (): string =>
  `${location.pathname}?${new URLSearchParams({ token: token(), way: 'cloud' })}`

/** The way that the page was asked for. */
export const askedWay = (): string | undefined => parameters().get('way') ?? undefined

/** Where the service is, below any path prefix of a proxy. */
const home = (): string => location.pathname.replace(/\/signature-session\/sign\/?$/, '')

/** Documents may be large, and connections slow. */
const TIMEOUT_MS = 300_000

async function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    'x-signature-session-token': token(),
    'accept-language': document.documentElement.lang,
    ...(init.headers as Record<string, string>),
  }
  const request = { method, ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const response = await fetch(`${home()}/api/signature-session${path}`, request).catch(() => undefined)
  if (!response) throw new SessionProblem('unreachable')
  if (!response.ok) throw await problemOf(response)
  return response
}

interface Said {
  readonly code?: string
  readonly validationResults?: { readonly errors: readonly { readonly message: string }[] } | null
  readonly details?: { readonly rejectReason?: string } | null
}

async function problemOf(response: Response): Promise<SessionProblem> {
  const said: Said = await response.json().catch(() => ({}))
  const { rejectReason } = said.details ?? {}
  const wrong = said.validationResults?.errors.map(({ message }) => message) ?? []
  return new SessionProblem(said.code ?? `http-${response.status}`, rejectReason ? [rejectReason] : wrong)
}

const json = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return (await send(method, path, sent)).json()
}

export const readSession = () => json<Session>('GET', '')

export const cancelSession = () => json<Session>('POST', '/cancellation')

export const setCertificate = (certificate: string) => json<Prepared>('POST', '/certificate', { certificate })

export const submitSignatures = (state: string, signatures: readonly { documentId: string; signature: string }[]) =>
  json<Session>('POST', '/signatures', { state, signatures })

const TOKENS = '/token-signatures'

export const beginToken = () => json<AnswerOf<typeof beginSessionToken>>('POST', TOKENS)

export const lookToken = (id: string) => json<AnswerOf<typeof lookSessionToken>>('POST', `${TOKENS}/${id}`)

export const cancelToken = (id: string) => send('DELETE', `${TOKENS}/${id}`)

export const beginCloud = () => json<AnswerOf<typeof beginSessionCloud>>('POST', '/cloud-signatures')

export const removeDocument = (id: string) => json<Session>('DELETE', `/documents/${id}`)

export async function bringDocument(file: File): Promise<Session> {
  const headers = { 'content-type': file.type || 'application/octet-stream' }
  const path = `/documents?name=${encodeURIComponent(file.name)}`
  return (await send('POST', path, { body: file, headers })).json()
}

/** The bytes that are signed, or the signed document. */
export const fileOf = async (id: string, which: 'content' | 'signed'): Promise<Blob> =>
  (await send('GET', `/documents/${id}/${which}`)).blob()
