// Keys with which a service signs on its own: whether each signs, and whether its certificate is good.
import { randomBytes } from 'node:crypto'
import { EngineError } from '@chancela/signature-engine'
import { checkNewCades, signCades } from '@chancela/signature-engine/cades'
import { reasonText } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import type { Clock } from '../clock/index.ts'
import { type CertificateWatch, type CheckResult, lasting, type Readiness } from '../health/index.ts'
import type { CertificateGate, JudgedCertificate } from './certificate-gate.ts'

const GOOD: CheckResult = { ok: true, detail: 'It signs, and the signature verifies with its certificate.' }
const NONE: CheckResult = { ok: true, detail: 'There is none at the moment.' }

/** Signs a few bytes and verifies them with the certificate, whether or not that is valid now. */
export async function triedKey(signer: DigestSigner, now: Date): Promise<CheckResult> {
  const { certificate, chain } = signer
  const isValid = now >= certificate.notBefore && now <= certificate.notAfter
  const at = isValid ? now : certificate.notBefore
  const signed = await signCades(randomBytes(32), signer, { now: at, level: 'B-B' })
  const findings = checkNewCades(signed, { certificate, chain, level: 'B-B', now: at })
  return findings.length === 0
    ? GOOD
    : { ok: false, detail: 'It signs, but the signature is not that of its certificate.' }
}

/** Red when an authority says that the certificate is revoked; one that cannot be asked says nothing. */
export async function notRevoked(gate: CertificateGate, judged: JudgedCertificate, now: Date): Promise<CheckResult> {
  try {
    const { reasons } = await gate.verdict(judged, now)
    const revoked = reasons.find(({ code }) => code === 'revocation.revoked' || code === 'revocation.on-hold')
    return revoked ? { ok: false, detail: reasonText(revoked, judged.certificate) } : NOT_REVOKED
  } catch (error) {
    if (error instanceof EngineError) return UNKNOWN
    throw error
  }
}

const NOT_REVOKED: CheckResult = { ok: true, detail: 'It can be used, and nobody says that it is revoked.' }
const UNKNOWN: CheckResult = { ok: true, detail: 'It can be used; whether it is revoked could not be asked.' }

/** Whether a certificate is revoked, asked once a minute at most; undefined while there is none. */
export function revocationCheck(
  { clock, gate }: { readonly clock: Clock; readonly gate: CertificateGate },
  find: () => JudgedCertificate | undefined | Promise<JudgedCertificate | undefined>,
) {
  return lasting(
    async () => {
      const judged = await find()
      return judged ? notRevoked(gate, judged, clock()) : NONE
    },
    { clock, late: UNKNOWN },
  )
}

export interface OwnKey {
  readonly name: string
  /** Opens the key, or gives the open one; undefined while there is none, and throws while it cannot be opened. */
  find(): Promise<DigestSigner | undefined>
  /** Asks whether the certificate is revoked; left out where nobody could say so. */
  readonly gate?: CertificateGate
}

interface OwnKeyContext {
  readonly clock: Clock
  readonly readiness: Pick<Readiness, 'add'>
  readonly certificates: CertificateWatch
}

/**
 * Adds the checks of a key: `signing-key:<name>`, which really signs, once a minute at most, and those of its certificate.
 */
export function watchOwnKey({ clock, readiness, certificates }: OwnKeyContext, { name, find, gate }: OwnKey): void {
  const tried = async (): Promise<CheckResult> => {
    const signer = await find()
    return signer ? triedKey(signer, clock()) : NONE
  }
  readiness.add(`signing-key:${name}`, lasting(tried, { clock }), { gates: false })
  // Whether the key opens is told by its own check.
  const known = () => find().catch(() => undefined)
  const dates = async () => (await known())?.certificate
  certificates.watch(name, dates, gate && { judged: revocationCheck({ clock, gate }, known) })
}
