import { signatureProblems } from '@chancela/service-kernel/trust'
import { EngineError, type SigningState } from '@chancela/signature-engine'
import { completeCades } from '@chancela/signature-engine/cades'
import { completePades } from '@chancela/signature-engine/pades'
import { isIntact } from '@chancela/signature-engine/report'
import type { Certificate } from '@chancela/signature-engine/x509'
import { completeXades } from '@chancela/signature-engine/xades'
import type { SignatureType } from '../../contract/documents.ts'
import { type ExtensionHelpers, extendSignature } from './extend-signature.ts'
import type { KeyHolder } from './prepare-signature.ts'
import { readSignatures } from './read-signatures.ts'
import type { SignaturePlan, XmlPlan } from './signature-plan.ts'

const completions = { Pdf: completePades, Cms: completeCades, Xml: completeXades } as const
const formats = { Pdf: 'Pades', Cms: 'Cades', Xml: 'Xades' } as const

/** The value was not made by the key of the certificate over what was to be signed. */
export class WrongSignature extends Error {
  override readonly name = 'WrongSignature'
}

/**
 * The signed file, which was looked at as a third party would. `content` is that of a detached signature; `helpers` are
 * needed by levels with a timestamp.
 */
export async function finishSignature(
  state: SigningState<unknown>,
  signature: Uint8Array,
  holder: KeyHolder,
  plan: SignaturePlan,
  content: Uint8Array | undefined,
  helpers?: ExtensionHelpers,
): Promise<Buffer> {
  const basic = completed(plan.type, state, signature)
  const signed = helpers ? await extendSignature(basic, signature, plan, helpers) : basic
  // Without the content nobody can say more than the completion has said already: that the key signed.
  if (plan.type === 'Cms' && plan.dataHash !== undefined) return signed
  const now = helpers?.now ?? new Date(plan.at)
  if (plan.type === 'Xml' && plan.isPlain) return requireIntact(signed, plan, holder, now)
  const problems = await signatureProblems(signed, {
    format: formats[plan.type],
    level: plan.level,
    ...holder,
    now,
    covers: plan.type === 'Xml' && (plan.target || plan.uri !== undefined) ? 'part' : 'whole',
    isShared: plan.isFurther,
    ...(content && { content }),
  })
  if (problems.length === 0) return signed
  // A caller cannot mend this: the file is not given out, and the log has the reasons.
  throw new Error(`The new signature is not right: ${problems.join(' ')}`)
}

/** A plain XML signature has no level that could be looked for. */
async function requireIntact(signed: Buffer, { id, uuid }: XmlPlan, holder: KeyHolder, now: Date): Promise<Buffer> {
  const made = (await readSignatures({ type: 'Xml', bytes: signed }, { now })).find(
    ({ name }) => name === (id ?? `xmldsig-${uuid}`),
  )
  const isOwn = made?.signer?.certificate.der.equals(holder.certificate.der)
  if (made && isIntact(made.integrity) && isOwn) return signed
  throw new Error('The new signature is not right.')
}

function completed(type: SignatureType, state: SigningState<unknown>, signature: Uint8Array): Buffer {
  try {
    return completions[type](state, signature)
  } catch (error) {
    if (error instanceof EngineError && error.code.startsWith('signing.'))
      throw new WrongSignature(error.message, { cause: error })
    throw error
  }
}

/** Somebody who signed a file, and when, as the signature says. */
export interface FoundSigner {
  readonly certificate: Certificate
  readonly date: Date
}

/** Everybody who signed a file, in its order; whether they are to be believed is not asked. */
export async function signersIn(
  type: SignatureType,
  file: Uint8Array,
  content: Uint8Array | undefined,
  now: Date,
): Promise<readonly FoundSigner[]> {
  const signatures = await readSignatures({ type, bytes: file, ...(content && { content }) }, { now })
  return signatures.flatMap(({ kind, signer, claimedTime }) =>
    kind === 'signature' && signer ? [{ certificate: signer.certificate, date: claimedTime ?? now }] : [],
  )
}
