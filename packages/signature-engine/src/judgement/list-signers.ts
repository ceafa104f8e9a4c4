import type { RevocationList } from '../revocation/crl.ts'
import { type ListProof, noSupplements, type Supplements } from '../revocation/revocation-answer.ts'
import type { Certificate } from '../x509/certificate.ts'
import { findPaths, type Issuers, keysAmong } from './path-building.ts'
import type { CertificateVerdict, RevocationStatus } from './verdict.ts'

/** Certificates of one name that are tried as signers of a list. */
const MAX_SIGNERS = 16
/** Paths of signers that are judged for one certificate: crafted bundles could lead from list to list. */
const MAX_JUDGED_SIGNERS = 24
/** Signatures of lists that are verified with keys of others than the issuer, for one certificate. */
const MAX_TRIED_KEYS = 400

interface Budget {
  judged: number
  tried: number
}

/** What is needed to prove signers under one anchor. */
export interface ListSignerContext {
  readonly issuers: Issuers
  readonly anchor: Certificate
  /** Judges a path for a signer, whose own lists may not be proven by the certificates under way. */
  readonly judge: (path: readonly Certificate[], signers: ListSigners) => Promise<CertificateVerdict>
}

/**
 * Who may sign a list besides the issuer of the certificate: another key of the same authority, or the authority that
 * the certificate names for it, with a valid path of its own to the same anchor (RFC 5280 §6.3.3 f).
 */
export class ListSigners {
  readonly #context: ListSignerContext
  /** Certificates whose revocation is being looked for: none may vouch for itself, on whatever detour. */
  readonly #underWay: ReadonlySet<Certificate>
  readonly #budget: Budget

  private constructor(context: ListSignerContext, underWay: ReadonlySet<Certificate>, budget: Budget) {
    this.#context = context
    this.#underWay = underWay
    this.#budget = budget
  }

  static of(context: ListSignerContext): ListSigners {
    return new ListSigners(context, new Set(), { judged: MAX_JUDGED_SIGNERS, tried: MAX_TRIED_KEYS })
  }

  /** While the revocation of this certificate is looked for. */
  whileJudging(certificate: Certificate): ListSigners {
    return new ListSigners(this.#context, new Set([...this.#underWay, certificate]), this.#budget)
  }

  async prove(list: RevocationList): Promise<ListProof | undefined> {
    for (const signer of this.#candidates(list)) {
      if (this.#underWay.has(signer) && tellsOfItself(signer)) return { signer, supplements: noSupplements }
      for (const path of this.#pathsOf(signer)) {
        if (this.#budget.judged-- <= 0) return undefined
        const verdict = await this.#context.judge(path, this)
        if (verdict.indication === 'valid') return { signer, supplements: supplementsOf(verdict) }
      }
    }
    return undefined
  }

  #candidates(list: RevocationList): Certificate[] {
    const { issuers } = this.#context
    const { key } = list.issuer
    const sameName = [...issuers.anchors.named(key), ...issuers.named(key)]
    const keys = keysAmong(issuers)
    const keyed = new Set(sameName.flatMap((one) => keys.keysOf(one)))
    return [...keyed].slice(0, MAX_SIGNERS).filter((one) => this.#budget.tried-- > 0 && list.isFrom(one))
  }

  #pathsOf(signer: Certificate): (readonly Certificate[])[] {
    const { issuers, anchor } = this.#context
    return findPaths(signer, issuers).anchored.filter(
      (path) => path.at(-1) === anchor && !path.some((certificate) => this.#isUnderWay(certificate)),
    )
  }

  /** Under whatever key. */
  #isUnderWay({ fingerprint }: Certificate): boolean {
    return [...this.#underWay].some((certificate) => certificate.fingerprint === fingerprint)
  }
}

/** Its issuer named it as the issuer of the lists about itself: then there is nobody else to ask. */
const tellsOfItself = ({ subject, extensions: { distributionPoints } }: Certificate): boolean =>
  distributionPoints.some(({ listIssuers }) => listIssuers?.some((name) => name.equals(subject)))

const supplementsOf = ({ path, revocation }: CertificateVerdict): Supplements => {
  const { certificates, crls, ocsps } = evidenceIn(revocation)
  return { certificates: [...path, ...certificates], crls, ocsps }
}

/** All that the statuses of a path rest on, but the path itself. */
export function evidenceIn(statuses: readonly RevocationStatus[]): Supplements {
  const evidence = (source: 'crl' | 'ocsp') =>
    statuses.flatMap((status) => (status.source === source && status.evidence ? [status.evidence] : []))
  const further = statuses.flatMap(({ supplements }) => supplements ?? [])
  return {
    certificates: further.flatMap(({ certificates }) => certificates),
    crls: [...evidence('crl'), ...further.flatMap(({ crls }) => crls)],
    ocsps: [...evidence('ocsp'), ...further.flatMap(({ ocsps }) => ocsps)],
  }
}
