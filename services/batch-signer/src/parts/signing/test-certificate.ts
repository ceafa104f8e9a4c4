import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { CertificateGate } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import { checkNewCades, signCades } from '@chancela/signature-engine/cades'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { ProfileHeld } from '../../rules/conditions.ts'
import { type JobReason, reasonOf, toldByEngine } from '../../rules/job-reason.ts'
import { type CertificateSummary, summaryOf } from './certificate-summary.ts'
import { conditionOf } from './find-condition.ts'
import { type KeyAccess, type KeyPlaces, KeyProblem, openKey } from './open-key.ts'

/** Result of testing a key. */
export interface CertificateTrial {
  /** The key opened, signed a probe, and the probe verified. Trust is reported separately. */
  readonly signs: boolean
  /** Why not, and the code of that. */
  readonly problem: string | null
  readonly code: string | null
  /** The problem for readers of other languages. */
  readonly told: JobReason | undefined
  readonly certificate: TriedCertificate | null
}

/** The certificate of a key that was tried. */
interface TriedCertificate extends CertificateSummary {
  readonly trusted: boolean
  /** Reasons against the certificate, one sentence each. */
  readonly reasons: Readonly<Record<InterfaceLanguage, readonly string[]>>
}

/** Opens a key, signs a probe with it, verifies the probe and validates the certificate; then releases the key. */
export async function testCertificate(
  access: KeyAccess,
  places: KeyPlaces,
  gate: CertificateGate,
  now: Date,
): Promise<CertificateTrial> {
  try {
    const { signer, release } = await openKey(access, places)
    try {
      const reasons = {
        'en-US': await gate.reasons(signer, now, 'en-US'),
        'pt-BR': await gate.reasons(signer, now, 'pt-BR'),
      }
      const problem = await probed(signer, now)
      const certificate = { ...summaryOf(signer.certificate), trusted: reasons['en-US'].length === 0, reasons }
      return { signs: problem === null, ...saidOf(problem), certificate }
    } finally {
      await release()
    }
  } catch (error) {
    return { signs: false, ...saidOf(problemOf(error)), certificate: null }
  }
}

const saidOf = (problem: KeyProblem | null) => ({
  problem: problem?.message ?? null,
  code: problem?.code ?? null,
  told: problem === null ? undefined : (problem.told ?? reasonOf(problem.reason)).reason,
})

/** Whatever a third-party module throws is an answer to the test, not an error of the service. */
function problemOf(error: unknown): KeyProblem {
  if (error instanceof KeyProblem) return error
  if (error instanceof EngineError) return new KeyProblem(toldByEngine(error), { code: error.code, cause: error })
  const detail = error instanceof Error ? error.message : String(error)
  return new KeyProblem(`The key could not be opened: ${detail}.`, { code: 'key.unexpected', cause: error })
}

const PROBE = Buffer.from('Chancela: does this key sign?')

async function probed(signer: DigestSigner, now: Date): Promise<KeyProblem | null> {
  // Expiry is reported separately; the probe tests the key.
  const { certificate, chain } = signer
  const at = now > certificate.notAfter || now < certificate.notBefore ? certificate.notBefore : now
  try {
    const signed = await signCades(PROBE, signer, { now: at, level: 'B-B' })
    const isGood = checkNewCades(signed, { certificate, chain, level: 'B-B', now: at }).length === 0
    return isGood ? null : new KeyProblem(reasonOf('key-signs-wrong'), { code: 'key.wrong-signature' })
  } catch (error) {
    return problemOf(error)
  }
}

/** Throws ProfileHeld unless the key makes a signature that verifies. */
export async function requireKey(signer: DigestSigner, now: Date): Promise<void> {
  const problem = await probed(signer, now)
  if (problem) throw new ProfileHeld(conditionOf(problem) ?? 'key-unavailable', problem.told ?? problem.message)
}
