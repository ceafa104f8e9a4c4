import { requireArguments } from '../errors/arguments.ts'
import { exchangeOverHttp, type HttpExchange } from '../http/exchange.ts'
import { createJudge, type Judge } from '../judgement/judge-certificate.ts'
import { builtInPolicies, PolicyCatalogue } from '../policies/policy-catalogue.ts'
import { readLpa } from '../policies/policy-list.ts'
import type { RevocationCache } from '../revocation/revocation-cache.ts'
import { RevocationSource } from '../revocation/revocation-source.ts'
import { refuseTrust } from '../trust/errors.ts'
import { downloadOfficialRoots, type ImportedRoots, importOfficialRoots } from '../trust/import-official-roots.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import type { Certificate } from '../x509/certificate.ts'

export interface IcpBrasilJudgeOptions {
  /**
   * Bytes (PEM, DER, PKCS#7, ITI's archive): the official roots among them, by their fingerprints. Certificates: these
   * instead, by your own decision. Without any the official roots are downloaded from ITI, if `downloads` allows it.
   */
  readonly roots?: Uint8Array | readonly Certificate[]
  /** Lists of approved policies (LPA). Default: the published policies this version of the engine knows. */
  readonly policyLists?: readonly Uint8Array[]
  /** Whether roots, issuers and revocation may be asked for over the network. */
  readonly downloads: boolean
  /** How the network is reached. */
  readonly exchange?: HttpExchange
  /** Where revocation data is kept between runs. */
  readonly cache?: RevocationCache
}

/** A judge of ICP-Brasil, with the policies that `validate…` takes beside it. */
export interface IcpBrasilJudge extends Judge {
  readonly policies: PolicyCatalogue
  /** Whom it trusts. */
  readonly anchors: TrustAnchors
}

/** A judge that trusts ICP-Brasil. Make one and use it for everything: it remembers what it has asked. */
export async function icpBrasilJudge(options: IcpBrasilJudgeOptions): Promise<IcpBrasilJudge> {
  requireArguments('icpBrasilJudge', {}, options, ['downloads'])
  const { downloads, policyLists = [], cache, exchange = exchangeOverHttp } = options
  const { trusted, intermediates } = await rootsOf(options, exchange)
  const anchors = TrustAnchors.of(trusted)
  const online = { exchange, revocation: new RevocationSource({ exchange, ...(cache && { cache }) }) }
  const judge = createJudge({ anchors, intermediates, ...(downloads && online) })
  const policies = policyLists.length === 0 ? builtInPolicies : new PolicyCatalogue(policyLists.map(readLpa))
  return { ...judge, anchors, policies }
}

interface Roots {
  readonly trusted: readonly Certificate[]
  readonly intermediates: readonly Certificate[]
}

async function rootsOf({ roots, downloads }: IcpBrasilJudgeOptions, exchange: HttpExchange): Promise<Roots> {
  if (roots instanceof Uint8Array) return official(importOfficialRoots(roots))
  if (roots !== undefined) return { trusted: roots, intermediates: [] }
  if (!downloads) throw refuseTrust('trust.roots-needed')
  return official(await downloadOfficialRoots(exchange))
}

/** The other certificates of ITI's archive are the authorities below its roots: they make paths and prove nothing. */
function official({ accepted, refused }: ImportedRoots): Roots {
  if (accepted.length === 0) throw refuseTrust('trust.no-official-roots')
  return { trusted: accepted, intermediates: refused }
}
