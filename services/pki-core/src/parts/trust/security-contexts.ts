// Whom a request trusts: the built-in security contexts, and those of a subscription (pki-core facts 3.4).
import { join, resolve } from 'node:path'
import { LruCache } from '@chancela/service-kernel/concurrency'
import { guardedExchange, openTrust, type Trust } from '@chancela/service-kernel/trust'
import { createJudge, type Judge, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { builtInContexts } from '../../contract/authentication.ts'
import type { SecurityContextRow } from '../../store/tables.ts'
import type { KnownAccess } from '../access/known-access.ts'

/** A security context that exists for the caller. */
export interface SecurityContext {
  readonly id: string
  /** Whether an unknown revocation status is a warning, whatever a request says. */
  readonly ignoresUnknown: boolean
  judge(): Promise<Judge>
}

/** A context of the instance. */
export interface BuiltInContext {
  readonly id: string
  readonly name: string
  /** Whether requests get it where neither they nor the subscription name one. */
  readonly isInstanceDefault: boolean
  /** None until the official ones were fetched. */
  readonly roots: readonly Certificate[]
}

const builtInNames: Readonly<Record<string, string>> = {
  [builtInContexts.pkiBrazil]: 'ICP-Brasil',
  [builtInContexts.test]: 'Test',
}

/** Contexts of subscriptions whose judges are kept: each remembers paths and revocation data. */
const MOST_JUDGES = 1000

export class SecurityContexts {
  readonly #known: KnownAccess
  readonly #builtIn: ReadonlyMap<string, Trust>
  readonly #exchange: ReturnType<typeof guardedExchange>
  readonly #revocation: RevocationSource
  readonly #judges = new LruCache<string, { readonly version: number; readonly judge: Judge }>(MOST_JUDGES)

  private constructor(context: Context, known: KnownAccess, builtIn: ReadonlyMap<string, Trust>) {
    this.#known = known
    this.#builtIn = builtIn
    this.#exchange = guardedExchange(context.settings.SecurityContexts.AuthorityHosts)
    this.#revocation = new RevocationSource({ exchange: this.#exchange })
  }

  static async open(context: Context, known: KnownAccess): Promise<SecurityContexts> {
    const { PkiBrazilAnchorsFile, TestAnchorsFile, AuthorityHosts } = context.settings.SecurityContexts
    const { logger, clock, dataFolder } = context
    const common = { logger, clock, exchange: guardedExchange(AuthorityHosts) }
    const brazil = await openTrust({
      ...common,
      file: PkiBrazilAnchorsFile === undefined ? undefined : resolve(dataFolder, PkiBrazilAnchorsFile),
      setting: 'pki-core SecurityContexts:PkiBrazilAnchorsFile',
      kept: join(dataFolder, 'pki-core', 'trust', 'icp-brasil.pem'),
    })
    const builtIn = new Map([[builtInContexts.pkiBrazil as string, brazil]])
    if (TestAnchorsFile !== undefined) {
      const test = { file: resolve(dataFolder, TestAnchorsFile), setting: 'pki-core SecurityContexts:TestAnchorsFile' }
      builtIn.set(builtInContexts.test, await openTrust({ ...common, ...test, kept: '' }))
    }
    return new SecurityContexts(context, known, builtIn)
  }

  /** The context of requests for which nobody chose another. */
  readonly instanceDefault = builtInContexts.pkiBrazil

  builtIn(): readonly BuiltInContext[] {
    return [...this.#builtIn].map(([id, trust]) => ({
      id,
      name: builtInNames[id]!,
      isInstanceDefault: id === this.instanceDefault,
      roots: trust.roots(),
    }))
  }

  /** The context of this id; undefined where the subscription has none. */
  async find(subscriptionId: string, id: string): Promise<SecurityContext | undefined> {
    const wanted = id.trim().toLowerCase()
    const trust = this.#builtIn.get(wanted)
    if (trust) return { id: wanted, ignoresUnknown: false, judge: () => trust.judge() }
    const row = await this.#known.securityContext(subscriptionId, wanted)
    return (
      row && {
        id: row.id,
        ignoresUnknown: row.revocation === 'IgnoreUnknown',
        judge: async () => this.#judgeOf(row),
      }
    )
  }

  /** The context of requests that name none. */
  async default(subscriptionId: string): Promise<SecurityContext | undefined> {
    const subscription = await this.#known.subscription(subscriptionId)
    return this.find(subscriptionId, subscription?.default_context_id ?? this.instanceDefault)
  }

  /** One judge while the context stays as it is. */
  #judgeOf({ id, version, roots, intermediates, policies }: SecurityContextRow): Judge {
    const known = this.#judges.get(id)
    if (known?.version === version) return known.judge
    const judge = createJudge({
      anchors: TrustAnchors.of(readCertificates(Buffer.from(roots))),
      revocation: this.#revocation,
      exchange: this.#exchange,
      intermediates: intermediates === '' ? [] : readCertificates(Buffer.from(intermediates)),
    })
    const demanding = withPolicies(judge, JSON.parse(policies))
    this.#judges.set(id, { version, judge: demanding })
    return demanding
  }
}

/** A judge who takes certificates of people under these policies alone; timestamp authorities have others. */
function withPolicies(judge: Judge, policies: readonly string[]): Judge {
  if (policies.length === 0) return judge
  const demanding: Judge = {
    ...judge,
    certificate: (certificate, options) =>
      judge.certificate(certificate, options.purpose === 'timestamping' ? options : { policies, ...options }),
  }
  return demanding
}

/** What a request says of its results, and what its context says for all requests. */
export const inContext = <Options extends { readonly ignoresUnknown: boolean }>(
  context: SecurityContext,
  options: Options,
): Options => ({ ...options, ignoresUnknown: options.ignoresUnknown || context.ignoresUnknown })
