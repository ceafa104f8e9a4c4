import { requireArguments } from '../errors/arguments.ts'
import type { TimedAnchor, TrustedPeriod } from '../trust/trust-anchors.ts'
import type { ServiceStatus, TrustedList } from './trusted-list.ts'

/** The kinds of services that anchor signatures and timestamps. */
const serviceTypes = {
  /** Authorities that issue qualified certificates. */
  'CA/QC': 'http://uri.etsi.org/TrstSvc/Svctype/CA/QC',
  /** Qualified timestamps. */
  'TSA/QTST': 'http://uri.etsi.org/TrstSvc/Svctype/TSA/QTST',
} as const

export type AnchoringService = keyof typeof serviceTypes

/** From this moment on, only `granted` counts (regulation 910/2014; TS 119 615 calls it the date of applicability). */
const EIDAS = new Date('2016-06-30T22:00:00Z')

const GRANTED = 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted'

/** What stood for it before, under both names that lists had then. */
const grantedBefore: ReadonlySet<string> = new Set(
  ['undersupervision', 'supervisionincessation', 'accredited'].flatMap((status) => [
    `http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/${status}`,
    `http://uri.etsi.org/TrstSvc/eSigDir-1999-93-EC-TrustedList/Svcstatus/${status}`,
  ]),
)

/** Authorities that only certify web sites sign no signers. */
const ONLY_WEB_SITES = /\/ForWebSiteAuthentication$/

/** The services of these kinds as anchors, each for the times in which its status was granted. */
export function anchorsOf(
  list: TrustedList,
  kinds: readonly AnchoringService[] = ['CA/QC', 'TSA/QTST'],
): TimedAnchor[] {
  requireArguments('anchorsOf', { list: [list, 'trusted list'], kinds: [kinds, 'list'] })
  return list.services.flatMap(({ certificates, statuses }) => {
    const periods = statuses.filter((status) => isOf(status, kinds)).flatMap(grantedIn)
    return periods.length > 0 ? certificates.map((certificate) => ({ certificate, periods })) : []
  })
}

const isOf = ({ type, usages }: ServiceStatus, kinds: readonly AnchoringService[]): boolean =>
  kinds.some((kind) => serviceTypes[kind] === type) &&
  !(usages.length > 0 && usages.every((usage) => ONLY_WEB_SITES.test(usage)))

function grantedIn({ status, from, until }: ServiceStatus): TrustedPeriod[] {
  if (status === GRANTED) return [{ from, until }]
  if (!grantedBefore.has(status) || from >= EIDAS) return []
  return [{ from, until: until && until < EIDAS ? until : EIDAS }]
}
