import { basename, join, parse } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { validateCades } from '@chancela/signature-engine/cades'
import {
  downloadOfficialRoots,
  exchangeOverHttp,
  type ImportedRoots,
  importOfficialRoots,
} from '@chancela/signature-engine/judgement'
import { type PolicyList, readLpa } from '@chancela/signature-engine/policies'
import {
  certificateToJson,
  type SignatureReport,
  type SubIndication,
  type ValidationReport,
} from '@chancela/signature-engine/report'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import { validateXades } from '@chancela/signature-engine/xades'
import type { CommandContext } from '../command-context.ts'
import { textTable } from '../text-table.ts'
import { judgementOf } from './engine-tools.ts'
import { readInput } from './files.ts'
import {
  addCertificates,
  addPolicyList,
  isDerList,
  readTrustStore,
  type TrustFolderOptions,
  type TrustKind,
  trustFolderOf,
} from './trust-store.ts'

type Json = { readonly json?: boolean }

const meanings: Readonly<Record<TrustKind, string>> = {
  official: 'ICP-Brasil root',
  own: 'own root',
  intermediate: 'authority below',
}

/** `chancela trust list` */
export async function listTrust(context: CommandContext, options: TrustFolderOptions & Json): Promise<void> {
  const { certificates, policies } = await readTrustStore(trustFolderOf(options))
  const rows = (Object.keys(certificates) as TrustKind[]).flatMap((kind) =>
    certificates[kind].map((certificate) => ({ kind, certificate })),
  )
  if (options.json) context.print(JSON.stringify(listing(rows, policies.lists), null, 2))
  else logTrust(context, rows, policies.lists)
}

type TrustRow = { readonly kind: TrustKind; readonly certificate: Certificate }

function logTrust(context: CommandContext, rows: readonly TrustRow[], lists: readonly PolicyList[]): void {
  if (rows.length === 0)
    context.log('Nothing is trusted yet: `chancela trust update` brings in the roots of ICP-Brasil.')
  const lines = rows.map(({ kind, certificate }) => [
    meanings[kind],
    nameOf(certificate),
    certificate.notAfter.toISOString().slice(0, 10),
    certificate.fingerprint,
  ])
  context.print(textTable(['kind', 'name', 'valid until', 'SHA-256'], lines))
  for (const { nextUpdate, policies } of lists)
    context.print(`List of ${policies.length} approved policies, next update ${nextUpdate.toISOString().slice(0, 10)}`)
}

const listing = (rows: readonly TrustRow[], lists: readonly PolicyList[]) => ({
  certificates: rows.map(({ kind, certificate }) => ({ kind, ...certificateToJson(certificate) })),
  policyLists: lists.map(({ nextUpdate, policies }) => ({
    nextUpdate: nextUpdate.toISOString(),
    policies: policies.length,
  })),
})

export interface UpdateTrustOptions extends TrustFolderOptions {
  readonly file?: string
  readonly url?: string
  readonly lpa?: readonly string[]
}

/** `chancela trust update`: the roots of ICP-Brasil, identified by their pinned fingerprints. */
export async function updateTrust(context: CommandContext, options: UpdateTrustOptions): Promise<void> {
  const folder = trustFolderOf(options)
  const { lpa = [] } = options
  const isListsOnly = lpa.length > 0 && options.file === undefined && options.url === undefined
  if (!isListsOnly) await updateRoots(context, folder, await rootsFrom(options))
  for (const path of lpa) await updateList(context, folder, path, options)
}

async function rootsFrom({ file, url }: UpdateTrustOptions): Promise<ImportedRoots> {
  if (file !== undefined) return importOfficialRoots(await readInput(file))
  return downloadOfficialRoots(exchangeOverHttp, url === undefined ? {} : { url })
}

async function updateRoots(
  { print, log }: CommandContext,
  folder: string,
  { accepted, refused }: ImportedRoots,
): Promise<void> {
  for (const stranger of refused.filter(({ selfIssued }) => selfIssued))
    log(
      `Refused: ${nameOf(stranger)} (SHA-256 ${stranger.fingerprint}) is no root of ICP-Brasil known to this program.`,
    )
  if (accepted.length === 0)
    throw new StartupProblem('None of the certificates is a root of ICP-Brasil; nothing was changed.')
  const added = await addCertificates(folder, 'official', accepted)
  const authorities = await addCertificates(folder, 'intermediate', issuedBelow(accepted, refused))
  print(
    `${accepted.length} roots of ICP-Brasil are trusted (${added.length} new), ${authorities.length} authorities added.`,
  )
}

/** The authorities that one of the roots issued, level by level; other certificates of the file are dropped. */
function issuedBelow(roots: readonly Certificate[], candidates: readonly Certificate[]): Certificate[] {
  const found: Certificate[] = []
  for (let issuers = roots; issuers.length > 0; ) {
    const next = candidates.filter(
      (candidate) =>
        !found.includes(candidate) &&
        issuers.some((issuer) => issuer.subject.equals(candidate.issuer) && issuer.issued(candidate)),
    )
    found.push(...next)
    issuers = next
  }
  return found
}

/** Stores a list of approved policies, unless its signature is invalid. */
async function updateList(
  context: CommandContext,
  folder: string,
  path: string,
  options: TrustFolderOptions,
): Promise<void> {
  const bytes = await readInput(path)
  const { policies, nextUpdate } = readLpa(bytes)
  const report = await judgeList(context, path, bytes, options)
  if (report && !report.signatures.every(speaksForIt))
    throw new StartupProblem(`The signature of ${path} is invalid; it was not taken in.`)
  if (report?.indication !== 'valid')
    context.log(`${path}: its signature ${report ? 'could not be confirmed' : 'was not given'}; taken in all the same.`)
  await addPolicyList(folder, basename(path), bytes)
  context.print(
    `${policies.length} policies in ${basename(path)}, next update ${nextUpdate.toISOString().slice(0, 10)}.`,
  )
}

/** What may be missing here, as a root or an answer about revocation; whatever else was found speaks against a list. */
const UNKNOWN: ReadonlySet<SubIndication> = new Set([
  'NO_SIGNING_CERTIFICATE_FOUND',
  'NO_CERTIFICATE_CHAIN_FOUND',
  'OUT_OF_BOUNDS_NO_POE',
  'OUT_OF_BOUNDS_NOT_REVOKED',
  'TRY_LATER',
])

/** A revoked signer leaves open when it was signed, which is enough to doubt a list that decides about signatures. */
const speaksForIt = ({ subIndication, certificate }: SignatureReport): boolean =>
  subIndication === null || (UNKNOWN.has(subIndication) && certificate?.indication !== 'invalid')

// DOC-ICP-15.03, annex 3: a DER list is signed detached (LPA_CAdES.der, LPA_CAdES.p7s), an XML list enveloped.
async function judgeList(
  { clock }: CommandContext,
  path: string,
  bytes: Buffer,
  options: TrustFolderOptions,
): Promise<ValidationReport | undefined> {
  const { judge, policies } = await judgementOf({ data: options.data, trustFolder: trustFolderOf(options), trust: [] })
  const terms = { judge, policies, now: clock() }
  // What it is decides, not what it is called: a list must not be taken for its own signature.
  if (!isDerList(bytes)) return validateXades(bytes, terms)
  const { dir, name } = parse(path)
  const signature = await readInput(join(dir, `${name}.p7s`)).catch(() => undefined) // it is optional
  return signature && validateCades(signature, { ...terms, content: bytes })
}

/** `chancela trust add FILE`: trusts a root the operator chose. */
export async function addTrust(context: CommandContext, path: string, options: TrustFolderOptions): Promise<void> {
  const certificates = readCertificates(await readInput(path))
  const folder = trustFolderOf(options)
  const roots = await addCertificates(
    folder,
    'own',
    certificates.filter(({ selfIssued }) => selfIssued),
  )
  const others = await addCertificates(
    folder,
    'intermediate',
    certificates.filter(({ selfIssued }) => !selfIssued),
  )
  for (const root of roots) context.print(`Trusted: ${nameOf(root)} (SHA-256 ${root.fingerprint})`)
  for (const other of others) context.print(`Known: ${nameOf(other)} (SHA-256 ${other.fingerprint})`)
  if (roots.length + others.length === 0) context.print('Everything in the file was known already.')
}

const nameOf = ({ subject }: Certificate): string => subject.commonName ?? subject.toString()
