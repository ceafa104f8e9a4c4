import type { AdministratorTables } from '@chancela/admin-console'
import type { EventTables } from '@chancela/service-kernel/events'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { InstanceSecretRow } from '@chancela/service-kernel/secrets'
import type { CertificateStatus, CustodyKind } from '../contract/common.ts'
import type { SignatureState } from '../rules/signature-states.ts'

/** One row of `certificate`: held for a CPF, in the vault, at a workstation or on a token of the server. */
export interface CertificateRow {
  id: string
  /** The CPF it is held for; its subject's may differ (a company's, say). */
  cpf: string
  custody: CustodyKind
  workstation_id: string | null
  /** The name of the server's own token in the settings. */
  token: string | null
  /** SHA-256 of the DER, in hexadecimal. */
  fingerprint: string
  /** Base64; null when the data was lost, which answers CERT_DATA_UNAVAILABLE. */
  der: string | null
  /** JSON list of the issuers that came with it, base64 DER each. */
  chain: string
  subject_name: string
  /** The subject's name in lower case without accents, for searches. */
  subject_key: string
  subject_cpf: string | null
  email: string | null
  issuer: string
  serial_number: string
  not_before: string
  not_after: string
  status: CertificateStatus
  status_reason: string | null
  /** The same as a code, JSON (`rules/certificate-verdict.ts`); null in what an earlier version judged. */
  status_finding: string | null
  /** When it was last validated. */
  checked_at: string | null
  /** When it was last found good; a setting says after how long it becomes STALE. */
  good_at: string | null
  /** The sealed PKCS#12; only in the vault. */
  sealed_file: string | null
  /** The hash of the holder's PIN, sealed; only on a token that an operator's PIN opens. */
  sealed_pin: string | null
  created_at: string
  /** When it was removed from the vault, or no longer offered by its workstation or on its token. */
  removed_at: string | null
}

/** One row of `workstation`. */
export interface WorkstationRow {
  id: string
  name: string
  /** JSON list of the CPFs whose certificates it may offer: others it publishes are ignored. */
  cpfs: string
  /** Ed25519, base64url; null until it is enrolled. */
  public_key: string | null
  /** Which channel it is enrolled for (`CHANNEL`); 1 before it was TLS: such an agent is enrolled again. */
  channel: number
  /** When an agent that has to be enrolled again first came, which the events tell once. */
  outdated_at: string | null
  platform: string | null
  agent_version: string | null
  address: string | null
  enrolled_at: string | null
  last_seen_at: string | null
  revoked_at: string | null
  created_at: string
}

/** One row of `enrolment_code`: valid once. */
export interface EnrolmentCodeRow {
  /** SHA-256 of the public half of the code's key, base64url. */
  hash: string
  workstation_id: string
  expires_at: string
  used_at: string | null
}

/** One row of `pin_to_forget`: a session was deactivated while its workstation was offline. */
export interface PinToForgetRow {
  workstation_id: string
  fingerprint: string
  at: string
}

export type SessionEnd =
  | 'deactivated'
  | 'replaced'
  | 'expired'
  | 'exhausted'
  | 'stranded'
  | 'ended-by-administrator'
  | 'certificate-gone'

/** One row of `signing_session`. */
export interface SigningSessionRow {
  /** Internal id of the session; the sessionId itself is not stored. */
  id: string
  /** SHA-256 of the sessionId, base64url. */
  hash: string
  cpf: string
  certificate_id: string
  custody: CustodyKind
  application_id: string
  /** Fallback e-mail address of the signer. */
  email: string | null
  window_seconds: number
  expires_at: string
  signatures: number
  created_at: string
  ended_at: string | null
  end_reason: SessionEnd | null
  /** Of the client that opened it; null for those of earlier versions. */
  address: string | null
  /** Of the call that opened it. */
  correlation_id: string | null
}

/** One row of `session_attempt`: a call that asked for a session and got none. */
export interface SessionAttemptRow {
  id: string
  cpf: string
  application_id: string
  /** The code that was answered. */
  code: string
  /** Of the client. */
  address: string
  correlation_id: string
  at: string
}

/** One row of `pin_failures`: the wrong PINs of a CPF still in the window. */
export interface PinFailuresRow {
  cpf: string
  /** JSON list of times, oldest first; never more than the lockout needs. */
  times: string
  last_at: string
}

/** One row of `token_login`: what is remembered of the PINs that a token of the server was given. */
export interface TokenLoginRow {
  /** Its name in the settings. */
  token: string
  /** The hash of the last PIN it accepted, sealed. */
  accepted: string | null
  /** The hash of the last PIN that it was given since and did not accept, or whose outcome is unknown. */
  refused: string | null
  /** Given since it last accepted one. */
  tries: number
}

/** One row of `signature`: the outcome of a client's document. Written before the document is sent. */
export interface SignatureRow {
  id: string
  session_id: string
  certificate_id: string
  application_id: string
  cpf: string
  custody: CustodyKind
  file_name: string
  bytes: number
  /** Of the received document, in hexadecimal. */
  sha256: string
  state: SignatureState
  /** The id of the document at the signature service. */
  document_id: string | null
  code: string | null
  detail: string | null
  batch_id: string | null
  correlation_id: string
  started_at: string
  ended_at: string | null
  /** When an open one is checked again. */
  look_at: string | null
}

export interface Tables extends EventTables, ApiKeyTables, AdministratorTables {
  certificate: CertificateRow
  workstation: WorkstationRow
  enrolment_code: EnrolmentCodeRow
  pin_to_forget: PinToForgetRow
  signing_session: SigningSessionRow
  session_attempt: SessionAttemptRow
  pin_failures: PinFailuresRow
  token_login: TokenLoginRow
  signature: SignatureRow
  instance_secret: InstanceSecretRow
}
