import {
  createJudge,
  exchangeOverHttp,
  type Judge,
  type PolicyInputs,
  RevocationSource,
  type TimedAnchor,
  TrustAnchors,
} from '@chancela/signature-engine/judgement'
import type { PolicyCatalogue } from '@chancela/signature-engine/policies'
import { createTimestampClient, type TimestampClient } from '@chancela/signature-engine/timestamps'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import { readInput } from './files.ts'
import { readTrustStore, type TrustFolderOptions, trustFolderOf } from './trust-store.ts'

export interface TrustOptions extends Pick<TrustFolderOptions, 'data'> {
  readonly trustFolder?: string
  /** Files with additional roots. */
  readonly trust?: readonly string[]
  readonly offline?: boolean
}

/** What certificates are judged with. */
export interface Judgement {
  readonly judge: Judge
  readonly policies: PolicyCatalogue
  /** How many roots are trusted; with none, nothing can be confirmed. */
  readonly anchorCount: number
}

/** What a judge believes and demands besides. */
export interface JudgementTerms {
  readonly listed?: readonly TimedAnchor[]
  readonly policyInputs?: PolicyInputs
}

/** A judge that trusts the trust folder and the files named on the command line. */
export async function judgementOf(options: TrustOptions, terms: JudgementTerms = {}): Promise<Judgement> {
  const { data, trustFolder } = options
  const folder = trustFolderOf({ data, ...(trustFolder !== undefined && { folder: trustFolder }) })
  const { certificates, policies } = await readTrustStore(folder)
  const named: Certificate[] = []
  for (const file of options.trust ?? []) named.push(...readCertificates(await readInput(file)))
  const anchors = TrustAnchors.of([...certificates.official, ...certificates.own, ...named, ...(terms.listed ?? [])])
  const network = options.offline ? {} : { revocation: new RevocationSource(), exchange: exchangeOverHttp }
  const inputs = terms.policyInputs && { policyInputs: terms.policyInputs }
  const judge = createJudge({ anchors, intermediates: certificates.intermediate, ...network, ...inputs })
  return { judge, policies, anchorCount: anchors.certificates.length }
}

/** A client that tries these authorities in order; undefined without any: levels that need a timestamp then refuse. */
export const timestampsOf = (urls: readonly string[] = []): TimestampClient | undefined =>
  urls.length === 0 ? undefined : createTimestampClient({ authorities: urls.map((url) => ({ url })) })
