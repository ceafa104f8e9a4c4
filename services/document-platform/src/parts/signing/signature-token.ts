import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type { StampedFile } from '../../actions/documents/stamp-files.ts'
import type { Context } from '../../context.ts'
import type { NewDocument as wire } from '../../contract/signatures.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignaturePlan } from './signature-plan.ts'

type NewDocument = Static<typeof wire>

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

/**
 * The same of a document that comes to be with its signature: what it will be is in the token, and until then there is
 * nothing of it but the bytes.
 */
export interface NewDocumentToken extends Pick<SignatureToken, 'digest' | 'plan' | 'certificate' | 'issuers'> {
  /** Who began it, and may complete it. */
  readonly callerId: string
  readonly organizationId: string
  readonly document: NewDocument
  readonly file: Omit<StampedFile, 'pagesBefore'>
}

type WithCertificate = { readonly certificate: Certificate }

type SealedToken<Token extends WithCertificate> = Omit<Token, 'certificate'> & {
  readonly until: number
  /** DER, base64. */
  readonly der: string
}

/** Tokens of a kind: one is not taken for another. */
const tokensOf = <Token extends WithCertificate>(kind: string) => ({
  seal: (
    { secrets, settings }: Pick<Context, 'secrets' | 'settings'>,
    { certificate, ...token }: Token,
    now: Date,
  ): string => {
    const until = plus(now, settings.Documents.SignatureTokenValidityMinutes * MINUTE).getTime()
    const der = certificate.der.toString('base64')
    return secrets.seal(JSON.stringify({ ...token, until, der } satisfies SealedToken<Token>), kind)
  },
  /** Refuses one that was not sealed here, or has expired. */
  open: ({ secrets }: Pick<Context, 'secrets'>, token: string, now: Date): Token => {
    const { until, der, ...rest } = opened<SealedToken<Token>>(secrets, token, kind)
    if (now.getTime() > until) throw refuse('SignatureTokenInvalidOrExpired')
    return { ...rest, certificate: Certificate.read(Buffer.from(der, 'base64')) } as unknown as Token
  },
})

export const { seal: sealToken, open: openToken } = tokensOf<SignatureToken>('signature token')

export const newDocumentTokens = tokensOf<NewDocumentToken>('token of a new document')

function opened<Sealed>(secrets: Context['secrets'], token: string, kind: string): Sealed {
  try {
    return JSON.parse(secrets.openText(token, kind)) as Sealed
  } catch (error) {
    if (error instanceof SecretProblem) throw refuse('SignatureTokenInvalidOrExpired', undefined, error)
    throw error
  }
}
