import { StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import type { PolicyInputs, TimedAnchor } from '@chancela/signature-engine/judgement'
import { anchorsOf, openTrustedList } from '@chancela/signature-engine/trusted-lists'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import { UsageProblem } from './exit-codes.ts'
import { readInput } from './files.ts'

/** What RFC 5280 §6.1.1 leaves to whoever validates a path. */
export interface PolicyOptions {
  readonly initialPolicy?: readonly string[]
  readonly requireExplicitPolicy?: boolean
  readonly inhibitPolicyMapping?: boolean
  readonly inhibitAnyPolicy?: boolean
}

const OBJECT_IDENTIFIER = /^[0-2](\.(0|[1-9]\d*))+$/

export function policyInputsOf(options: PolicyOptions): PolicyInputs {
  const { initialPolicy, requireExplicitPolicy, inhibitPolicyMapping, inhibitAnyPolicy } = options
  const wrong = initialPolicy?.find((policy) => !OBJECT_IDENTIFIER.test(policy))
  if (wrong !== undefined)
    throw new UsageProblem(`--initial-policy takes an object identifier such as 2.16.76.1.2.1.1, not ${wrong}.`)
  return { initialPolicies: initialPolicy, requireExplicitPolicy, inhibitPolicyMapping, inhibitAnyPolicy }
}

export interface TrustedListOptions {
  /** Files with lists of ETSI TS 119 612. */
  readonly trustedList?: readonly string[]
  /** Files with the certificates that may sign them. */
  readonly trustedListSigner?: readonly string[]
}

/** The authorities that these lists name, each in its periods. The lists are judged as of now. */
export async function listedAnchors(options: TrustedListOptions, now: Date): Promise<TimedAnchor[]> {
  const { trustedList = [], trustedListSigner = [] } = options
  if (trustedList.length > 0 && trustedListSigner.length === 0)
    throw new UsageProblem('--trusted-list needs --trusted-list-signer FILE: who may sign the list.')
  if (trustedList.length === 0 && trustedListSigner.length > 0)
    throw new UsageProblem('--trusted-list-signer names who signs --trusted-list, which is not given.')
  const signerFiles = await Promise.all(trustedListSigner.map(readInput))
  const signers = signerFiles.flatMap((file) => readCertificates(file))
  const lists = await Promise.all(trustedList.map((path) => openList(path, signers, now)))
  return lists.flatMap((list) => anchorsOf(list))
}

async function openList(path: string, signers: readonly Certificate[], now: Date) {
  const bytes = await readInput(path)
  try {
    return await openTrustedList(bytes, { signers, now })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new StartupProblem(`--trusted-list: ${path}: ${error.message}`)
  }
}
