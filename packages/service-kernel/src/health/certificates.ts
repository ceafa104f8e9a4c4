// Certificates that a service uses: when each ends, as checks and as a metric.
import { Gauge } from 'prom-client'
import { type Clock, DAY } from '../clock/index.ts'
import type { Metrics } from '../metrics/index.ts'
import type { CheckResult, Readiness } from './readiness.ts'

/** As much of a certificate as is watched. */
export interface CertificateDates {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Undefined while there is none. */
type FindDates = () => CertificateDates | undefined | Promise<CertificateDates | undefined>

interface CertificateOptions {
  /** Red while an authority says that the certificate is not good; green where it cannot be asked. */
  readonly judged?: (signal: AbortSignal) => Promise<CheckResult>
  /** Whether a check of its own warns of the end. Default: yes. */
  readonly warns?: boolean
}

/** The certificates of a service, by name. */
export interface CertificateWatch {
  /** From how many days before the end on there is a warning. */
  readonly warningDays: number
  /**
   * Adds `certificate:<name>`, red for one that cannot be used, or only for days, and `certificate-expiring:<name>`, red
   * when it is time to renew it. Neither gates.
   */
  watch(name: string, find: FindDates, options?: CertificateOptions): void
  forget(name: string): void
}

interface WatchContext {
  readonly readiness: Pick<Readiness, 'add' | 'remove'>
  readonly metrics: Metrics
  readonly clock: Clock
  readonly warningDays: number
  readonly criticalDays: number
}

export function createCertificateWatch(context: WatchContext): CertificateWatch {
  const { readiness, warningDays, criticalDays, clock } = context
  const known = new Map<string, FindDates>()
  measure(context, known)
  return {
    warningDays,
    watch(name, find, { judged, warns = true } = {}) {
      known.set(name, find)
      const usable = async (signal: AbortSignal): Promise<CheckResult> => {
        const found = verdictOn(await find(), { now: clock(), days: criticalDays })
        return found.ok && judged ? judged(signal) : found
      }
      readiness.add(`certificate:${name}`, usable, { gates: false })
      const soon = async () => verdictOn(await find(), { now: clock(), days: warningDays })
      if (warns) readiness.add(`certificate-expiring:${name}`, soon, { gates: false })
    },
    forget(name) {
      known.delete(name)
      for (const check of ['certificate', 'certificate-expiring']) readiness.remove(`${check}:${name}`)
    },
  }
}

function measure({ metrics: { registry, prefix }, clock }: WatchContext, known: ReadonlyMap<string, FindDates>): void {
  new Gauge({
    name: `${prefix}certificate_expires_in_days`,
    help: 'Days until a certificate of the service expires; negative once it has.',
    labelNames: ['certificate'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [certificate, find] of known) {
        const dates = await quietly(find)
        if (dates) this.set({ certificate }, daysUntil(dates.notAfter, clock()))
      }
    },
  })
}

/** A certificate that cannot be read is told by its checks. */
async function quietly(find: FindDates): Promise<CertificateDates | undefined> {
  try {
    return await find()
  } catch {
    return undefined
  }
}

const daysUntil = (end: Date, now: Date): number => (end.getTime() - now.getTime()) / DAY

function verdictOn(
  dates: CertificateDates | undefined,
  { now, days }: { readonly now: Date; readonly days: number },
): CheckResult {
  if (!dates) return { ok: true, detail: 'There is none at the moment.' }
  const { notBefore, notAfter } = dates
  if (now > notAfter) return { ok: false, detail: `It expired on ${dayOf(notAfter)}.` }
  if (now < notBefore) return { ok: false, detail: `It is valid from ${dayOf(notBefore)} on.` }
  const isSoon = daysUntil(notAfter, now) < days
  return {
    ok: !isSoon,
    detail: `It ${isSoon ? 'expires' : 'is valid until'} ${isSoon ? 'on ' : ''}${dayOf(notAfter)}.`,
  }
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
