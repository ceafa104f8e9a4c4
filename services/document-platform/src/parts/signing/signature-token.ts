import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignaturePlan } from './signature-plan.ts'

/**
 * A started signature, sealed, held by the client: nothing is stored for it. The document's revision makes it valid for
 * one signature, because completing one changes the revision.
 */
export interface SignatureToken {
  readonly documentId: string
  readonly key: string
  readonly participantId: string
  readonly revision: number
  /** The file that is signed. */
  readonly digest: string
  readonly plan: SignaturePlan
  readonly certificate: Certificate
  /** Fingerprints of the included issuers: they affect the layout of the signature. */
  readonly issuers: readonly string[]
}

interface SealedToken extends Omit<SignatureToken, 'certificate'> {
  readonly until: number
  /** DER, base64. */
  readonly der: string
}

const CONTEXT = 'signature token'

export function sealToken(
  { secrets, settings }: Pick<Context, 'secrets' | 'settings'>,
  { certificate, ...token }: SignatureToken,
  now: Date,
): string {
  const sealed: SealedToken = {
    ...token,
    until: plus(now, settings.Documents.SignatureTokenValidityMinutes * MINUTE).getTime(),
    der: certificate.der.toString('base64'),
  }
  return secrets.seal(JSON.stringify(sealed), CONTEXT)
}

/** Opens a token; refuses one that was not sealed here, or has expired. */
export function openToken({ secrets }: Pick<Context, 'secrets'>, token: string, now: Date): SignatureToken {
  const { until, der, ...rest } = opened(secrets, token)
  if (now.getTime() > until) throw refuse('SignatureTokenInvalidOrExpired')
  return { ...rest, certificate: Certificate.read(Buffer.from(der, 'base64')) }
}

function opened(secrets: Context['secrets'], token: string): SealedToken {
  try {
    return JSON.parse(secrets.openText(token, CONTEXT)) as SealedToken
  } catch (error) {
    if (error instanceof SecretProblem) throw refuse('SignatureTokenInvalidOrExpired', undefined, error)
    throw error
  }
}
