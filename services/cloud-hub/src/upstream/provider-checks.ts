import { X509Certificate } from 'node:crypto'
import type { Clock } from '@chancela/service-kernel/clock'
import { type Check, lasting } from '@chancela/service-kernel/health'
import type { Context } from '../context.ts'
import type { Exchange } from './exchange.ts'
import type { Provider } from './provider.ts'
import type { Watch } from './watched-adapter.ts'

/** A provider as far as it is watched. */
interface Watched {
  readonly provider: Provider
  readonly answers: Check
  /** What the hub shows to the provider, in PEM. */
  readonly clientCertificate: string | undefined
}

interface Asked {
  readonly exchange: Pick<Exchange, 'reach'>
  readonly endpoint: string
  readonly breakers: Watch['breakers']
  readonly clock: Clock
}

/** Whether a provider is there. What calls of holders told of it comes first: it is not asked while it is left alone. */
export function providerCheck({ exchange, endpoint, breakers, clock }: Asked): Check {
  const reach = lasting((signal) => exchange.reach(endpoint, signal), { clock })
  return async (signal) =>
    breakers.use.state === 'open' ? { ok: false, detail: 'It failed so often that it is left alone.' } : reach(signal)
}

const nameOf = ({ provider }: Watched): string => `provider:${provider.serviceName}`

/** The checks of the providers that holders are sent to: one is told when it does not answer, and keeps nobody from the others. */
export class ProviderChecks {
  readonly #context: Pick<Context, 'readiness' | 'certificates'>
  #watched: ReadonlyMap<string, Watched> = new Map()

  constructor(context: Pick<Context, 'readiness' | 'certificates'>) {
    this.#context = context
  }

  /** Every provider has its checks, and no other. */
  follow(providers: readonly Watched[]): void {
    const before = this.#watched
    this.#watched = new Map(providers.map((one) => [nameOf(one), one]))
    for (const [name, one] of before) if (this.#watched.get(name) !== one) this.#forget(name)
    for (const [name, one] of this.#watched) if (before.get(name) !== one) this.#watch(name, one)
  }

  #watch(name: string, one: Watched): void {
    const { readiness, certificates } = this.#context
    readiness.add(name, one.answers, { gates: false })
    if (one.clientCertificate === undefined) return
    const dates = datesOf(one.clientCertificate)
    certificates.watch(name, () => dates)
  }

  #forget(name: string): void {
    this.#context.readiness.remove(name)
    this.#context.certificates.forget(name)
  }
}

/** Parsed once: the console takes no certificate that cannot be. */
function datesOf(pem: string) {
  const { validFrom, validTo } = new X509Certificate(pem)
  return { notBefore: new Date(validFrom), notAfter: new Date(validTo) }
}
