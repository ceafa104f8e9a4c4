import type { CertificateGate } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import { type CertificateVerdict, reasonText } from '@chancela/signature-engine/judgement'
import { Certificate, type Holder, type HolderKind, holderOf } from '@chancela/signature-engine/x509'
import { saidBoth } from '../../rules/sentences.ts'
import { ShownRefusal } from '../../rules/shown-refusal.ts'

/** A certificate as an approver hands it in. */
export interface HandedCertificate {
  /** DER. */
  readonly certificate: Uint8Array
  /** Issuers that came with it, in DER. Default none. */
  readonly chain?: readonly Uint8Array[]
}

/** A certificate that may approve for somebody. */
export interface ApprovingCertificate {
  readonly certificate: Certificate
  /** Issuers up to the root, nearest first. */
  readonly chain: readonly Certificate[]
  readonly cpf: string
  readonly cnpj: string | null
}

/**
 * The certificate, if it is valid in every respect and of the person with this CPF. All of it before a key is asked:
 * nobody types a PIN in vain. Throws ShownRefusal.
 */
export async function judgeApprover(
  gate: CertificateGate,
  handed: HandedCertificate,
  { cpf, again }: { readonly cpf: string; readonly again: boolean },
  now: Date,
): Promise<ApprovingCertificate> {
  const { certificate, chain } = readHanded(handed)
  const { path } = await requireValid(gate, { certificate, chain }, { now, again })
  const holder = holderOf(certificate)
  const found = (holder.kind && people[holder.kind]?.(holder)) ?? null
  if (found === null) throw new ShownRefusal('approval.certificate-without-cpf')
  if (found !== cpf) throw new ShownRefusal('approval.certificate-cpf-mismatch')
  return { certificate, chain: path.slice(1), cpf, cnpj: holder.cnpj }
}

/** The CPF of the person who signs with a certificate of each kind; nobody does with the others. */
const people: Readonly<Partial<Record<HolderKind, (holder: Holder) => string | null>>> = {
  'e-CPF': ({ cpf }) => cpf,
  'e-CNPJ': ({ responsible }) => responsible?.cpf ?? null,
}

function readHanded({ certificate, chain = [] }: HandedCertificate) {
  try {
    return { certificate: Certificate.read(certificate), chain: chain.map((der) => Certificate.read(der)) }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new ShownRefusal('approval.certificate-invalid', 'certificate-unreadable', error)
  }
}

/** Whoever approves is judged `again`, as of now: a verdict that is remembered may have missed a revocation. */
async function requireValid(
  gate: CertificateGate,
  judged: { readonly certificate: Certificate; readonly chain: readonly Certificate[] },
  { now, again }: { readonly now: Date; readonly again: boolean },
): Promise<CertificateVerdict> {
  const verdict = await gate.verdict(judged, now, { again }).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error
    throw new ShownRefusal('approval.certificate-invalid', 'certificate-unjudged', error)
  })
  if (verdict.indication === 'valid') return verdict
  const reasons = verdict.reasons.map((reason) =>
    saidBoth({
      'en-US': reasonText(reason, judged.certificate, 'en-US'),
      'pt-BR': reasonText(reason, judged.certificate, 'pt-BR'),
    }),
  )
  throw new ShownRefusal('approval.certificate-invalid', reasons)
}
