import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'

/**
 * A begun signature, sealed, held by the caller: nothing is stored for it. The revision makes it good for one signature,
 * because completing one changes the revision.
 */
export interface SignatureToken {
  readonly documentId: string
  readonly revision: number
  readonly step: string
  readonly uuid: string
  readonly at: Date
  readonly certificate: Certificate
  readonly issuers: readonly Certificate[]
}

interface Sealed {
  readonly documentId: string
  readonly revision: number
  readonly step: string
  readonly uuid: string
  readonly at: string
  readonly until: number
  /** DER, base64: the certificate, then its issuers. */
  readonly path: readonly string[]
}

const CONTEXT = 'document signature token'

export function sealToken({ secrets, settings }: Context, token: SignatureToken): string {
  const { certificate, issuers, at, ...rest } = token
  const sealed: Sealed = {
    ...rest,
    at: at.toISOString(),
    until: plus(at, settings.Signing.TokenMinutes * MINUTE).getTime(),
    path: [certificate, ...issuers].map(({ der }) => Buffer.from(der).toString('base64')),
  }
  return secrets.seal(JSON.stringify(sealed), CONTEXT)
}

/** Refuses a token that was not sealed here, is too old, or is of another document. */
export function openToken({ secrets }: Context, documentId: string, text: string, now: Date): SignatureToken {
  const { path, at, until, ...token } = opened(secrets, text)
  if (now.getTime() > until || token.documentId !== documentId) throw refuse('signature-token-invalid')
  const [certificate, ...issuers] = path.map((der) => Certificate.read(Buffer.from(der, 'base64')))
  return { ...token, at: new Date(at), certificate: certificate!, issuers }
}

function opened(secrets: Context['secrets'], text: string): Sealed {
  try {
    return JSON.parse(secrets.openText(text, CONTEXT)) as Sealed
  } catch (error) {
    if (error instanceof SecretProblem) throw refuse('signature-token-invalid', undefined, error)
    throw error
  }
}
