// What can break around the suite, how the proof breaks it, and what readiness has to say meanwhile.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { GateMode } from './gate.ts'
import { type ServiceName, serviceNames, type WorldKind } from './settings.ts'
import type { DiskName } from './suite-process.ts'
import type { GateName, World } from './world.ts'

/** Ends what was begun. */
type Undo = () => void | Promise<void>

export interface Fault {
  readonly name: string
  /** The worlds that have what breaks. */
  readonly in: readonly WorldKind[]
  begin(world: World): Promise<Undo> | Undo
  /** Services that must say, within ten seconds, that they cannot work. */
  readonly notReady: readonly ServiceName[]
  /** Checks that must fail, whether or not the service can work without what they check. */
  readonly told?: readonly (readonly [service: ServiceName, check: RegExp])[]
  /** Disks that must be able to fail, in a world of its own. */
  readonly failing?: readonly DiskName[]
  /** Two of a kind cannot happen at once. */
  readonly kind: string
}

const both: readonly WorldKind[] = ['files', 'servers']
const withBlobs: readonly ServiceName[] = ['document-platform', 'credential-platform', 'pki-core']

const diskFull = (disk: DiskName, worlds: readonly WorldKind[], notReady: readonly ServiceName[]): Fault => ({
  name: `disk of the ${disk} full`,
  kind: `disk ${disk}`,
  in: worlds,
  begin: ({ suite }) => suite.fill(disk),
  notReady,
  told: (notReady.length > 0 ? notReady : serviceNames).map((name) => [name, /^disk$/]),
})

/**
 * Full, and the databases have no room of their own left: a log that has grown is written again from its beginning, and takes
 * thousands of commits on a disk without any room.
 */
const databaseDiskFull: Fault = {
  ...diskFull('database', ['files'], serviceNames),
  begin: async ({ suite }) => {
    await suite.shrinkDatabases()
    return suite.fill('database')
  },
}

const diskReadOnly = (disk: DiskName, worlds: readonly WorldKind[], notReady: readonly ServiceName[]): Fault => ({
  name: `disk of the ${disk} read-only`,
  kind: `disk ${disk}`,
  in: worlds,
  begin: async ({ suite }) => {
    await suite.remount(disk, 'ro')
    return () => suite.remount(disk, 'rw')
  },
  notReady,
})

const gate = (name: GateName, mode: GateMode, what: string, told: Pick<Fault, 'in' | 'notReady' | 'told'>): Fault => ({
  name: what,
  kind: `gate ${name}`,
  begin: ({ gates }) => {
    gates[name].set(mode)
    return () => gates[name].set('open')
  },
  ...told,
})

const database = (what: string, begin: (world: World) => Promise<Undo> | Undo): Fault => ({
  name: `PostgreSQL ${what}`,
  kind: 'PostgreSQL',
  in: ['servers'],
  begin,
  notReady: serviceNames,
})

const clock = (offset: string, what: string): Fault => ({
  name: `clock ${what}`,
  kind: 'clock',
  in: both,
  begin: ({ suite }) => {
    suite.setClock(offset)
    return () => suite.setClock('+0')
  },
  notReady: [],
})

const authority = (area: 'ocsp' | 'tsa', what: string): Fault => ({
  name: what,
  kind: 'authority',
  in: both,
  begin: ({ pki }) => {
    pki.faults.set(area, { kind: 'down' })
    return () => pki.faults.clear(area)
  },
  notReady: [],
})

/** As a journal does it when the device errors: only another mount makes it writable, so that nothing comes back by itself. */
const diskGivesUp = (disk: DiskName, notReady: readonly ServiceName[]): Fault => ({
  name: `disk of the ${disk} read-only for good`,
  kind: `disk ${disk}`,
  in: ['files'],
  begin: ({ root }) => {
    execFileSync('mount', ['-o', 'remount,abort', join(root, disk)])
    return () => undefined
  },
  notReady,
  failing: [disk],
})

/** Faults after which only a restart helps: the suite says so, and stops. */
export const lasting: readonly Fault[] = [diskGivesUp('log', []), diskGivesUp('database', serviceNames)]

/** While one of these is broken, a stop must end within its limit: whatever a stop may wait for is among them. */
export const stoppedDuring: Readonly<Record<WorldKind, readonly string[]>> = {
  files: ['disk of the log full', 'disk of the database full', 'provider hangs', 'OCSP, CRL and TSA hang'],
  servers: ['PostgreSQL frozen', 'S3 hangs', 'SMTP hangs'],
}

export const faults: readonly Fault[] = [
  diskFull('log', both, []),
  databaseDiskFull,
  diskFull('blobs', ['files'], withBlobs),
  diskFull('work', both, ['batch-signer']),
  diskReadOnly('blobs', ['files'], withBlobs),
  diskReadOnly('work', both, ['batch-signer']),
  database('crashed and started again', async ({ database }) => database!.crash()),
  database('frozen', ({ database }) => database!.freeze()),
  database('read-only', ({ database }) => database!.makeReadOnly()),
  gate('store', 'refuses', 'S3 refuses', { in: ['servers'], notReady: withBlobs }),
  gate('store', 'resets', 'S3 resets', { in: ['servers'], notReady: withBlobs }),
  gate('store', 'hangs', 'S3 hangs', { in: ['servers'], notReady: withBlobs }),
  gate('store', 'lies', 'S3 lies', { in: ['servers'], notReady: withBlobs }),
  gate('mail', 'refuses', 'SMTP refuses', { in: both, notReady: [] }),
  gate('mail', 'hangs', 'SMTP hangs', { in: both, notReady: [] }),
  gate('authorities', 'refuses', 'OCSP, CRL and TSA down', { in: both, notReady: [] }),
  gate('authorities', 'hangs', 'OCSP, CRL and TSA hang', { in: both, notReady: [] }),
  authority('ocsp', 'OCSP down'),
  authority('tsa', 'TSA down'),
  gate('provider', 'refuses', 'provider down', { in: both, notReady: [] }),
  gate('provider', 'hangs', 'provider hangs', { in: both, notReady: [] }),
  {
    name: 'DNS fails',
    kind: 'DNS',
    in: both,
    begin: ({ suite }) => suite.forgetHosts(),
    notReady: [],
  },
  clock('+2h', 'two hours ahead'),
  clock('-2h', 'two hours back'),
  {
    name: 'suite frozen (SIGSTOP)',
    kind: 'process',
    in: both,
    begin: ({ suite }) => {
      suite.signal('SIGSTOP')
      return () => suite.signal('SIGCONT')
    },
    notReady: serviceNames,
  },
  {
    name: 'file descriptors exhausted',
    kind: 'descriptors',
    in: both,
    begin: ({ suite }) => suite.exhaustDescriptors(),
    notReady: [],
  },
]
