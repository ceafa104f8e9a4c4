import type { CertificateGate } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import { type CertificateReason, type CertificateVerdict, reasonText } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import { type HoldReason, ProfileHeld } from '../../rules/conditions.ts'
import { type Said, saidBoth } from '../../rules/sentences.ts'

/** Refusals of the engine that do not come from the file, in order: the first that matches counts. */
const engineConditions: readonly (readonly [code: RegExp, reason: HoldReason])[] = [
  [/^pkcs11\.(wrong-pin|pin-locked|pin-final-try|pin-needed)$/, 'pin-refused'],
  [/^pkcs11\.(not-installed|module-unusable)$/, 'key-unavailable'],
  [/^pkcs11\./, 'token-unavailable'],
  [/^key\.(closed|failed|no-answer|aborted|bad-answer)$/, 'key-unavailable'],
  [/^pkcs12\./, 'key-unavailable'],
  [/^timestamp\./, 'timestamp-unavailable'],
  [/\.certificate-not-valid$/, 'certificate-refused'],
  [/^(revocation|http)\./, 'revocation-unanswered'],
  [/^judgement\./, 'certificate-refused'],
]

/** The condition behind a refusal of the engine; undefined when the file is at fault. */
export const conditionOf = ({ code }: Pick<EngineError, 'code'>): HoldReason | undefined =>
  engineConditions.find(([pattern]) => pattern.test(code))?.[1]

/** What is wrong with a certificate, the most final first. */
const certificateConditions: readonly (readonly [code: RegExp, reason: HoldReason])[] = [
  [/^revocation\.revoked$/, 'certificate-revoked'],
  [/^validity\.expired$/, 'certificate-expired'],
  [/^validity\.not-yet-valid$/, 'certificate-not-yet-valid'],
  [/^revocation\.on-hold$/, 'certificate-suspended'],
  [/^(?!revocation\.)/, 'certificate-refused'],
  [/^/, 'revocation-unanswered'],
]

/** The reason to hold a profile whose certificate has this verdict. */
const certificateCondition = ({ reasons }: Pick<CertificateVerdict, 'reasons'>): HoldReason =>
  certificateConditions.find(([pattern]) => reasons.some(({ code }) => pattern.test(code)))?.[1] ??
  'certificate-refused'

/** Throws ProfileHeld with every reason against the certificate. `again`: not by a verdict that is remembered. */
export async function requireGood(
  gate: CertificateGate,
  signer: DigestSigner,
  now: Date,
  options: { readonly again?: boolean } = {},
): Promise<void> {
  const verdict = await judged(gate, signer, now, options)
  if (verdict.indication === 'valid') return
  const lines = verdict.reasons.map((reason) => reasonLine(reason, signer))
  throw new ProfileHeld(certificateCondition(verdict), lines.map(({ text }) => text).join(' '), { lines })
}

const reasonLine = (reason: CertificateReason, { certificate }: DigestSigner): Said =>
  saidBoth({
    'en-US': reasonText(reason, certificate, 'en-US'),
    'pt-BR': reasonText(reason, certificate, 'pt-BR'),
  })

async function judged(
  gate: CertificateGate,
  signer: DigestSigner,
  now: Date,
  options: { readonly again?: boolean },
): Promise<CertificateVerdict> {
  try {
    return await gate.verdict(signer, now, options)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const detail = `The certificate could not be judged: ${error.message}`
    throw new ProfileHeld('revocation-unanswered', detail, { cause: error })
  }
}

const PROBE = Buffer.from('Chancela: is there a timestamp?')

/** Throws ProfileHeld while the authority gives no timestamp; only a real one proves that it does. */
export async function requireTimestamp(client: TimestampClient | undefined): Promise<void> {
  try {
    await client?.stamp(PROBE)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new ProfileHeld('timestamp-unavailable', error.message, { cause: error })
  }
}
