import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { SecretProblem, type Secrets } from '@chancela/service-kernel/secrets'
import { approverKey } from '../../rules/approval-rule.ts'
import type { ApproverCertificate } from '../../rules/frozen-approval.ts'
import { ShownRefusal } from '../../rules/shown-refusal.ts'

/** How long an approver has from the certificate to the signature. */
const LIFETIME = 15 * MINUTE

/** Everything a signature is made again from, byte for byte, when its value comes back. */
export interface BegunSignature extends Pick<ApproverCertificate, 'means' | 'cloudService'> {
  readonly contentSha256: string
  /** The envelope it is added to; null: it is the first. */
  readonly envelopeBefore: string | null
  /** The time that is signed. */
  readonly at: Date
  readonly level: 'B-B' | 'AD-RB'
  /** DER. */
  readonly certificate: Buffer
  readonly chain: readonly Buffer[]
}

/** Whose signature, and on which job. */
export interface SignaturePlace {
  readonly jobId: string
  readonly email: string
}

/** As JSON has it. */
type Stored = Omit<BegunSignature, 'at' | 'certificate' | 'chain'> & {
  readonly at: string
  readonly certificate: string
  readonly chain: readonly string[]
}

// The token opens for this job and this person only, on every instance, without a row anywhere.
const contextOf = ({ jobId, email }: SignaturePlace): string =>
  `batch-signer/approver-signature/${jobId}/${approverKey(email)}`

/** When a signature that was begun at this time can no longer be completed. */
export const endOf = ({ at }: Pick<BegunSignature, 'at'>): Date => plus(at, LIFETIME)

/** What the approver's page keeps until the key has signed; it says nothing to its reader. */
export function sealBegun(secrets: Secrets, place: SignaturePlace, begun: BegunSignature): string {
  const stored: Stored = {
    ...begun,
    at: begun.at.toISOString(),
    certificate: begun.certificate.toString('base64'),
    chain: begun.chain.map((der) => der.toString('base64')),
  }
  return secrets.seal(JSON.stringify(stored), contextOf(place))
}

/** Throws ShownRefusal for what was not begun here, for another job or person, or too long ago. */
export function openBegun(secrets: Secrets, place: SignaturePlace, token: string, now: Date): BegunSignature {
  const begun = opened(secrets, place, token)
  if (now > endOf(begun)) throw new ShownRefusal('approval.signature-invalid', 'begun-long-ago')
  return begun
}

function opened(secrets: Secrets, place: SignaturePlace, token: string): BegunSignature {
  try {
    const stored = JSON.parse(secrets.openText(token, contextOf(place))) as Stored
    return {
      ...stored,
      at: new Date(stored.at),
      certificate: Buffer.from(stored.certificate, 'base64'),
      chain: stored.chain.map((der) => Buffer.from(der, 'base64')),
    }
  } catch (error) {
    if (!(error instanceof SecretProblem)) throw error
    throw new ShownRefusal('approval.signature-invalid', 'begun-elsewhere', error)
  }
}
