import { requireArguments } from '../errors/arguments.ts'
import { exchangeOverHttp, type HttpExchange } from '../http/exchange.ts'
import type { Certificate } from '../x509/certificate.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { RevocationList } from './crl.ts'
import { CrlDownloads } from './crl-downloads.ts'
import type { FetchSettings } from './fetch-settings.ts'
import type { ProvenList } from './list-status.ts'
import { OcspQueries } from './ocsp-queries.ts'
import {
  type Consulted,
  consultLists,
  holdsUntil,
  isFromFuture,
  type ListProver,
  proveList,
  type RevocationAnswer,
} from './revocation-answer.ts'
import type { RevocationCache } from './revocation-cache.ts'

export type RevocationMethod = 'ocsp' | 'crl'

export interface RevocationSourceOptions {
  /** How servers are called; default over HTTP. */
  readonly exchange?: HttpExchange
  /** The first method where a certificate offers both, and whether the other is tried at all. Default OCSP, CRL. */
  readonly methods?: readonly RevocationMethod[]
  /** Per address; default 10,000. */
  readonly timeoutMs?: number
  /** Largest list; default 64 MiB. */
  readonly maxCrlBytes?: number
  /** A cached answer that is still current is requested again after this, to notice revocations. Default one hour. */
  readonly refreshAfterMs?: number
  /** A failed address is not called for this long, so that a batch does not wait for it each time. Default 30 s. */
  readonly retryAfterMs?: number
  /** Memory for lists, in bytes; default 256 MiB. The least recently used go first. */
  readonly maxCrlMemory?: number
  /** Memory for OCSP answers, in bytes; default 32 MiB. */
  readonly maxOcspMemory?: number
  /** A persistent cache; default none. */
  readonly cache?: RevocationCache
}

export interface RevocationQuestion {
  readonly now: Date
  /** Only these; default: the source's own. */
  readonly methods?: readonly RevocationMethod[]
  /** Proves lists that others than the issuer signed; default: they are not proven. */
  readonly prover?: ListProver | undefined
}

/** One certificate that is asked about, and the lists found so far: those of some reasons complete each other. */
interface Inquiry extends RevocationQuestion {
  readonly certificate: Certificate
  readonly issuer: Certificate
  readonly lists: ProvenList[]
  readonly problems: string[]
}

export interface RevocationFinding {
  /** A current answer, else the newest expired one. */
  readonly answer: RevocationAnswer | null
  /** Problems on the way, each in one English sentence. */
  readonly problems: readonly string[]
}

const MIB = 1024 * 1024
const defaults = { timeoutMs: 10_000, maxCrlBytes: 64 * MIB, refreshAfterMs: 60 * 60 * 1000, retryAfterMs: 30_000 }

/** Queries authorities for revocation, and caches the answers. One for the whole process. */
export class RevocationSource {
  readonly #methods: readonly RevocationMethod[]
  readonly #lists: CrlDownloads
  readonly #statuses: OcspQueries

  constructor(options: RevocationSourceOptions = {}) {
    requireArguments('RevocationSource', {}, options)
    const { exchange = exchangeOverHttp, cache } = options
    const settings: FetchSettings = { ...defaults, ...options, exchange, cache }
    this.#methods = options.methods ?? ['ocsp', 'crl']
    this.#lists = new CrlDownloads(settings, new BoundedCache(options.maxCrlMemory ?? 256 * MIB))
    this.#statuses = new OcspQueries(
      settings,
      new BoundedCache(options.maxOcspMemory ?? 32 * MIB),
      (answer, issuer, now) => this.#doubtAbout(answer, issuer, now),
    )
  }

  /** Calls each address in turn until one gives a current answer. */
  async ask(certificate: Certificate, issuer: Certificate, question: RevocationQuestion): Promise<RevocationFinding> {
    const { now, methods = this.#methods } = question
    const problems: string[] = []
    const inquiry: Inquiry = { ...question, certificate, issuer, lists: [], problems }
    let newest: RevocationAnswer | null = null
    for (const { method, url } of addressesOf(certificate, methods)) {
      const consulted = await this.#consult[method](url, inquiry)
      const problem = problemOf(consulted, now)
      if (!problem && 'answer' in consulted) return { answer: consulted.answer, problems }
      problems.push(`${url}: ${problem}`)
      if ('answer' in consulted && !isFromFuture(consulted.answer, now)) newest = newerOf(newest, consulted.answer)
    }
    if (problems.length === 0) problems.push('The certificate names no address to ask.')
    return { answer: newest, problems }
  }

  readonly #consult: Readonly<Record<RevocationMethod, (url: string, inquiry: Inquiry) => Promise<Consulted>>> = {
    ocsp: (url, { certificate, issuer, now }) => this.#statuses.answer(url, certificate, issuer, now),
    crl: async (url, inquiry) => {
      const list = await this.#fetchList(url, inquiry)
      if ('problem' in list) return list
      await this.#fetchChanges(list, inquiry)
      return strongestOf(consultLists(inquiry.lists, inquiry.certificate))
    },
  }

  /** The list at this address, once it is proven. */
  async #fetchList(url: string, { certificate, issuer, now, prover, lists }: Inquiry) {
    const prove = (list: RevocationList) => proveList(list, certificate, issuer, prover)
    const held = await this.#lists.list(url, async (list) => (await prove(list)) !== undefined, now)
    if ('problem' in held) return held
    const proof = await prove(held.list)
    if (!proof) return { problem: 'The list was not signed by the issuer of the certificate.' }
    lists.push({ list: held.list, url, ...proof })
    return held.list
  }

  /** Delta CRLs: without them the list stands as it is, so that a failure is told and no obstacle (RFC 5280 §5.2.6). */
  async #fetchChanges({ deltaUrls }: RevocationList, inquiry: Inquiry): Promise<void> {
    const urls = [...inquiry.certificate.extensions.deltaCrlUrls, ...deltaUrls].filter(isWebAddress)
    for (const url of new Set(urls)) {
      if (inquiry.lists.some((known) => known.url === url)) continue
      const changes = await this.#fetchList(url, inquiry)
      if ('problem' in changes) inquiry.problems.push(`${url}: ${changes.problem}`)
    }
  }

  /** RFC 6960 §4.2.2.2.1: unless the issuer waives it, a delegated signer is checked too; by CRL, to end recursion. */
  async #doubtAbout({ responder }: RevocationAnswer, issuer: Certificate, now: Date): Promise<string | undefined> {
    if (!responder || responder.extensions.ocspNoCheck || responder.extensions.crlUrls.length === 0) return undefined
    const { answer, problems } = await this.ask(responder, issuer, { now, methods: ['crl'] })
    if (!answer || holdsUntil(answer) < now) return `The OCSP signer cannot be checked: ${problems.join(' ')}`
    return answer.revocation ? 'The OCSP signer is revoked.' : undefined
  }
}

/** The addresses in the order to call them. Some certificates have ldap distribution points; those are skipped. */
function addressesOf({ extensions: { ocspUrls, crlUrls } }: Certificate, methods: readonly RevocationMethod[]) {
  const urls = { ocsp: ocspUrls, crl: crlUrls }
  return methods.flatMap((method) => urls[method].filter(isWebAddress).map((url) => ({ method, url })))
}

const isWebAddress = (url: string): boolean => /^https?:/i.test(url)

/** A revocation that cannot be lifted; else the newest that speaks of every reason. */
function strongestOf(answers: readonly RevocationAnswer[]): Consulted {
  const ordered = answers.toSorted((one, other) => other.thisUpdate.getTime() - one.thisUpdate.getTime())
  const answer =
    ordered.find(({ revocation }) => revocation && revocation.reason !== 'certificateHold') ??
    ordered.find(({ everyReason }) => everyReason) ??
    ordered[0]
  return answer
    ? { answer }
    : { problem: 'The list is not about certificates of this kind, or not about every reason.' }
}

function problemOf(consulted: Consulted, now: Date): string | undefined {
  if ('problem' in consulted) return consulted.problem
  const { answer } = consulted
  if (isFromFuture(answer, now)) return `The answer is dated ${answer.thisUpdate.toISOString()}, in the future.`
  return holdsUntil(answer) >= now ? undefined : `The answer held until ${holdsUntil(answer).toISOString()}.`
}

const newerOf = (one: RevocationAnswer | null, other: RevocationAnswer): RevocationAnswer =>
  one && one.thisUpdate >= other.thisUpdate ? one : other
