// How calls travel to a service: its certificates, which follow their files, and a warning where secrets travel in clear.
import { resolve } from 'node:path'
import { DAY, SECOND } from '../clock/index.ts'
import type { KernelSettings } from '../config/index.ts'
import { StartupProblem } from '../errors/index.ts'
import type { CheckResult } from '../health/index.ts'
import { defineMetrics } from '../metrics/index.ts'
import { PairProblem, ServedCertificate } from '../tls/index.ts'
import type { StatelessContext, SurfaceDefinition } from './definition.ts'

type HttpSection = KernelSettings['Http']

/** Seconds between two looks whether a certificate was renewed. */
const LOOK_EVERY = 2

/** Opens the certificate of a surface, or says in one sentence which setting to change; undefined without TLS. */
export async function openCertificate(
  service: string,
  { section }: Pick<SurfaceDefinition, 'section'>,
  { Tls }: Pick<HttpSection, 'Tls'>,
  dataFolder: string,
): Promise<ServedCertificate | undefined> {
  if (!Tls) return undefined
  try {
    return await ServedCertificate.open({
      certificateFile: resolve(dataFolder, Tls.CertificateFile),
      keyFile: resolve(dataFolder, Tls.KeyFile),
      keyPassword: Tls.KeyPassword,
    })
  } catch (error) {
    if (!(error instanceof PairProblem)) throw error
    const setting = `${service} ${section}:Tls:${error.setting}`
    throw new StartupProblem(`${setting}: ${error.message}`, { setting, cause: error })
  }
}

/** A surface with its settings and its certificate. */
export interface ServedSurface {
  readonly surface: SurfaceDefinition
  readonly section: HttpSection
  readonly certificate: ServedCertificate | undefined
}

/** Follows the certificates, adds the checks `tls` and `transport` and the metric; the warnings of the start. */
export function watchTransport(context: StatelessContext, served: readonly ServedSurface[]): readonly string[] {
  const shown = served.filter(hasCertificate)
  if (shown.length > 0) {
    followFiles(context, shown)
    measureExpiry(context, shown)
    const { readiness, certificates, clock } = context
    const warnedMs = certificates.warningDays * DAY
    const all = async () => firstFailure(shown.map((one) => verdictOn(one, { now: clock(), warnedMs })))
    readiness.add('tls', all, { gates: false })
    // Of the end that is near the check `tls` warns, with what it says of a renewal that failed.
    for (const { surface, certificate } of shown)
      certificates.watch(`tls-${surface.name}`, () => certificate.pair, { warns: false })
  }
  return warnOfClear(context, served)
}

type ShownSurface = ServedSurface & { readonly certificate: ServedCertificate }

const hasCertificate = (one: ServedSurface): one is ShownSurface => one.certificate !== undefined

function followFiles({ logger, closing }: StatelessContext, shown: readonly ShownSurface[]): void {
  const lookAt = async ({ surface, certificate }: ShownSurface) => {
    const found = await certificate.look()
    const about = { surface: surface.name, notAfter: certificate.pair.notAfter }
    if (found === 'renewed') logger.info(about, 'a renewed certificate is served')
    if (found === 'refused')
      logger.error({ ...about, reason: certificate.problem }, 'the certificate is not renewed: the last one stays')
  }
  let looking = false
  const timer = setInterval(async () => {
    // A file system that hangs is not asked twice.
    if (looking) return
    looking = true
    for (const one of shown) await lookAt(one)
    looking = false
  }, LOOK_EVERY * SECOND)
  timer.unref()
  closing.add('the look at certificates', () => clearInterval(timer))
}

function measureExpiry({ metrics, clock }: StatelessContext, shown: readonly ShownSurface[]): void {
  const name = `${metrics.prefix}tls_certificate_expires_seconds`
  const expires = defineMetrics(metrics.registry, {
    [name]: {
      type: 'gauge',
      help: 'Seconds until the TLS certificate of a surface expires; negative once it has.',
      labels: { surface: 'any' },
    },
  })[name]!
  for (const { surface, certificate } of shown)
    expires.measure({ surface: surface.name }, () => (certificate.pair.notAfter.getTime() - clock().getTime()) / SECOND)
}

function verdictOn(
  { surface: { name }, certificate: { problem, pair } }: ShownSurface,
  { now, warnedMs }: { readonly now: Date; readonly warnedMs: number },
): CheckResult {
  const left = pair.notAfter.getTime() - now.getTime()
  const day = pair.notAfter.toISOString().slice(0, 10)
  if (left <= 0) return { ok: false, detail: `${name}: the certificate expired on ${day}` }
  if (problem !== undefined) return { ok: false, detail: `${name}: ${problem} The last certificate is still served.` }
  return left < warnedMs ? { ok: false, detail: `${name}: the certificate expires on ${day}` } : { ok: true }
}

const firstFailure = (results: readonly CheckResult[]): CheckResult => results.find(({ ok }) => !ok) ?? { ok: true }

/** Only where others can connect: what stays on this machine needs no TLS, and no check. */
function warnOfClear({ readiness, logger }: StatelessContext, served: readonly ServedSurface[]): readonly string[] {
  const open = served.filter(({ section }) => !isLoopback(section.Host))
  if (open.length === 0) return []
  const clear = open.filter(({ section, certificate }) => !certificate && !isHttps(section.PublicUrl))
  const warnings = clear.map(({ surface, section }) => inClear(surface, section.Host))
  for (const warning of warnings) logger.warn(warning)
  const detail = warnings.join(' ')
  readiness.add('transport', async () => (clear.length > 0 ? { ok: false, detail } : { ok: true }), { gates: false })
  return warnings
}

const inClear = ({ name, section }: SurfaceDefinition, host: string): string =>
  `Passwords, keys and cookies of ${name} travel in clear: it listens on ${host} without TLS. Set ${section}:Tls:CertificateFile and ${section}:Tls:KeyFile, or ${section}:PublicUrl to the https address of the proxy in front.`

/** Whether nobody outside this machine can connect. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** Whether browsers are told an address with TLS. */
export const isHttps = (publicUrl: string | undefined): boolean => publicUrl?.startsWith('https:') ?? false
