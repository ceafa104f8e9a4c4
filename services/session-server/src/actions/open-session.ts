// POST /v1/sessions, in the order of the specification: the vault first, then the workstations, and between them the
// server's own tokens; the certificate that confirms the PIN binds the session.
import { invalidField } from '@chancela/service-kernel/errors'
import { isCpf } from '@chancela/signature-engine/x509'
import type { Context } from '../context.ts'
import type { Certificates } from '../parts/certificates/certificates.ts'
import type { LiveSession } from '../parts/sessions/live-session.ts'
import type { CallOrigin, LiveSessions } from '../parts/sessions/live-sessions.ts'
import type { PinFailures } from '../parts/sessions/pin-failures.ts'
import type { TokenKey } from '../parts/tokens/token-key.ts'
import type { Tokens } from '../parts/tokens/tokens.ts'
import type { Vault } from '../parts/vault/vault.ts'
import type { VaultKey } from '../parts/vault/vault-key.ts'
import type { WorkstationPins } from '../parts/workstations/workstation-pins.ts'
import { refuse } from '../rules/refuse.ts'
import { certificatesOfCpf } from '../store/certificate-rows.ts'
import type { CertificateRow } from '../store/tables.ts'

export interface SessionRequest {
  readonly cpf: string
  readonly pin: string
  readonly sessionDuration?: number | undefined
  readonly email?: string | undefined
}

/** The requesting application, and until when it waits. */
export interface Asking {
  readonly applicationId: string
  readonly application: string
  readonly origin: CallOrigin
  /** Aborted when the client disconnects: the holder is no longer prompted. */
  readonly signal: AbortSignal
}

export interface SessionOpening {
  readonly context: Pick<Context, 'store' | 'clock' | 'settings'>
  readonly certificates: Certificates
  readonly vault: Vault
  readonly tokens: Tokens
  readonly pins: WorkstationPins
  readonly failures: PinFailures
  readonly sessions: LiveSessions
}

interface Opened {
  readonly sessionId: string
  readonly session: LiveSession
}

/** Opens a session, or throws the refusal with the reason. */
export async function openSession(opening: SessionOpening, request: SessionRequest, asking: Asking): Promise<Opened> {
  if (!isCpf(request.cpf))
    throw invalidField('cpf', 'It is not a CPF: its check digits are wrong or it repeats one digit.')
  const { context, failures } = opening
  try {
    return await failures.attempt(request.cpf, context.clock, asking.signal, async () => {
      const active = await activeCertificates(opening, request.cpf)
      const { confirmed, refusal, guessed } = await confirmation(opening, active, request, asking)
      if (confirmed) return begin(opening, confirmed, request, asking)
      if (refusal === 'INVALID_PIN') await failures.fail(request.cpf, context.clock())
      else if (guessed) await failures.doubt(request.cpf, request.pin, context.clock())
      throw refuse(refusal)
    })
  } catch (error) {
    // The client has disconnected: nobody reads the answer, and the log must not count it as our failure.
    throw error === asking.signal.reason ? refuse('PIN_NOT_AVAILABLE', undefined, error) : error
  }
}

/** The certificates of the CPF that may sign. */
async function activeCertificates(
  { context, certificates }: SessionOpening,
  cpf: string,
): Promise<readonly CertificateRow[]> {
  const held = await certificatesOfCpf(context.store.db, cpf)
  if (held.length === 0) throw refuse('CERT_NOT_FOUND')
  const now = context.clock()
  const active = held.filter((row) => certificates.statusOf(row, now) === 'ACTIVE')
  if (active.length > 0) return active
  throw refuse('CERT_NOT_ACTIVE', { statuses: [...new Set(held.map((row) => certificates.statusOf(row, now)))] })
}

/** The certificate that confirmed the PIN, and what its key needs. */
interface Confirmed {
  readonly row: CertificateRow
  readonly key?: VaultKey | TokenKey
}

interface Refused {
  readonly refusal: 'INVALID_PIN' | 'PIN_NOT_AVAILABLE' | 'WORKSTATION_OFFLINE'
  /** Somewhere it was compared, and differs. */
  readonly guessed: boolean
}

type Confirmation =
  | { readonly confirmed: Confirmed; readonly refusal?: never; readonly guessed?: never }
  | ({ readonly confirmed?: never } & Refused)

async function confirmation(
  { context, vault, tokens, pins }: SessionOpening,
  active: readonly CertificateRow[],
  { cpf, pin, sessionDuration }: SessionRequest,
  { application, signal }: Asking,
): Promise<Confirmation> {
  const [inVault, onTokens, atWorkstations] = (['vault', 'token', 'workstation'] as const).map((kind) =>
    active.filter(({ custody }) => custody === kind),
  ) as [CertificateRow[], CertificateRow[], CertificateRow[]]
  const ownAnswers: OwnAnswer[] = []
  for (const row of inVault) {
    const answer = await vault.open(row, pin)
    if (answer.kind === 'confirmed') return { confirmed: { row, key: answer.key } }
    ownAnswers.push(answer.kind)
  }
  const onToken = await tokens.confirm(onTokens, pin)
  if (onToken.kind === 'confirmed') return { confirmed: onToken }
  ownAnswers.push(...onToken.answers)
  const serverSays = ownAnswer(ownAnswers)
  if (atWorkstations.length === 0) return refusedBy(serverSays, 'differs', serverSays === 'differs')
  const sessionSeconds = grantedSeconds(context.settings.Sessions, sessionDuration)
  const answer = await pins.confirm(atWorkstations, { cpf, pin, application, sessionSeconds }, signal)
  if (answer.kind === 'confirmed') return { confirmed: { row: answer.row } }
  const guessed = ownAnswers.includes('differs') || answer.kind === 'differs' || answer.guessed
  return refusedBy(serverSays, answer.kind, guessed)
}

/** What the vault, or a token of the server, says of a PIN that opened none of its certificates. */
type OwnAnswer = 'differs' | 'cannot-tell'

const ownAnswer = (answers: readonly OwnAnswer[]): OwnAnswer =>
  answers.includes('cannot-tell') ? 'cannot-tell' : 'differs'

/** Wrong is only what differs everywhere: where a custody was not asked, it may have been the right one. */
function refusedBy(own: OwnAnswer, workstations: 'differs' | 'offline' | 'unanswered', guessed: boolean): Refused {
  if (own === 'cannot-tell' || workstations === 'unanswered') return { refusal: 'PIN_NOT_AVAILABLE', guessed }
  return { refusal: workstations === 'offline' ? 'WORKSTATION_OFFLINE' : 'INVALID_PIN', guessed }
}

/** A client that has disconnected gets no session: nobody would know its id. */
async function begin(
  { context, sessions }: SessionOpening,
  { row, key }: Confirmed,
  { cpf, sessionDuration, email }: SessionRequest,
  { applicationId, origin, signal }: Asking,
): Promise<Opened> {
  try {
    signal.throwIfAborted()
    return await sessions.open(
      {
        cpf,
        certificateId: row.id,
        fingerprint: row.fingerprint,
        applicationId,
        origin,
        email: email ?? null,
        windowSeconds: grantedSeconds(context.settings.Sessions, sessionDuration),
        rests: key ? { key } : { workstationId: row.workstation_id! },
      },
      context.clock(),
    )
  } catch (error) {
    key?.wipe()
    throw error
  }
}

/** The requested window, or the default, up to the maximum. */
const grantedSeconds = (
  { DefaultSeconds, MaxSeconds }: Context['settings']['Sessions'],
  asked: number | undefined,
): number => Math.min(asked ?? DefaultSeconds, MaxSeconds)
