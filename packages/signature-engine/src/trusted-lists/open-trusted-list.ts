import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import type { Certificate } from '../x509/certificate.ts'
import { validateXades } from '../xades/validate-xades.ts'
import { refuseTrustedList } from './errors.ts'
import { readTrustedList } from './read-trusted-list.ts'
import type { TrustedList, TrustedListPointer } from './trusted-list.ts'

export interface OpenTrustedListOptions {
  /** Who may sign the list: certificates that were published elsewhere, or that a list of lists has for it. */
  readonly signers: readonly Certificate[]
  readonly now: Date
  /** The number of the newest issue seen so far: an older one is refused. */
  readonly newestSequence?: number
  /** Also takes a list after its next update; default false. */
  readonly acceptOutdated?: boolean
}

/** Reads a list that one of the signers signed as a whole, and that is current. */
export async function openTrustedList(bytes: Uint8Array, options: OpenTrustedListOptions): Promise<TrustedList> {
  requireArguments('openTrustedList', { 'options.signers': [options?.signers, 'certificates'] }, options, ['now'])
  const list = readTrustedList(bytes)
  await requireSignature(bytes, options)
  const { newestSequence = 0, acceptOutdated = false, now } = options
  if (list.sequence < newestSequence) throw refuseTrustedList('trusted-list.older', { sequence: list.sequence })
  if (list.nextUpdate && list.nextUpdate < now && !acceptOutdated)
    throw refuseTrustedList('trusted-list.outdated', { nextUpdate: list.nextUpdate.toISOString() })
  return list
}

/** TS 119 612 §5.7: one enveloped signature over all of the list. The signer is trusted itself; no path is built. */
async function requireSignature(bytes: Uint8Array, { signers, now }: OpenTrustedListOptions): Promise<void> {
  const judge = createJudge({ anchors: TrustAnchors.of(signers) })
  const { signatures } = await validateXades(bytes, { judge, now, reads: { ordinal: 0 } })
  const [signature] = signatures
  if (!signature || signatures.length !== 1) throw refuseTrustedList('trusted-list.not-signed')
  const isOneOfThem = signers.some(({ fingerprint }) => fingerprint === signature.signer?.certificate.fingerprint)
  if (signature.indication === 'valid' && isOneOfThem) return
  throw refuseTrustedList('trusted-list.untrusted', { reasons: signature.findings.map(({ code }) => code).join(', ') })
}

/** What came of one pointer: the list, or why there is none. */
export interface PointedList {
  readonly pointer: TrustedListPointer
  readonly list: TrustedList | null
  readonly error: EngineError | null
}

export interface OpenPointedListsOptions extends Omit<OpenTrustedListOptions, 'signers' | 'newestSequence'> {
  /** Gets the bytes of a list; refuses with an `EngineError`. */
  readonly load: (location: string) => Promise<Uint8Array>
  /** Which pointers to follow; default those to lists of services in XML. */
  readonly follows?: (pointer: TrustedListPointer) => boolean
}

/** Opens the lists that a list of lists points to, each with the signers named there. Pointers are not followed further. */
export async function openPointedLists(list: TrustedList, options: OpenPointedListsOptions): Promise<PointedList[]> {
  const given = { list: [list, 'trusted list'], 'options.load': [options?.load, 'function'] } as const
  requireArguments('openPointedLists', given, options, ['now'])
  const { load, follows = isXmlList, ...terms } = options
  return Promise.all(
    list.pointers.filter(follows).map(async (pointer): Promise<PointedList> => {
      try {
        const opened = await openTrustedList(await load(pointer.location), { ...terms, signers: pointer.signers })
        return { pointer, list: opened, error: null }
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        return { pointer, list: null, error }
      }
    }),
  )
}

const LIST_OF_LISTS = /ListOfTheLists$/
const XML_LIST = 'application/vnd.etsi.tsl+xml'

const isXmlList = ({ type, mimeType }: TrustedListPointer): boolean =>
  !LIST_OF_LISTS.test(type ?? '') && (mimeType === null || mimeType === XML_LIST)
