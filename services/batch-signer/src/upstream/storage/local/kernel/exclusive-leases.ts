import { type BigIntStats, lstatSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The kernel's list of locks and leases (proc(5)); leases of processes of other PID namespaces are not in it. */
const LIST = '/proc/locks'

/** No list on this platform, or not for this process: the opening itself will tell. */
const NO_LIST = ''

/** `3: LEASE  ACTIVE    WRITE 4711 fe:00:16573841 0 EOF`; the major and minor number of the device are hexadecimal. */
const exclusive = /LEASE\s+ACTIVE\s+WRITE\s+-?\d+ ([0-9a-f]+:[0-9a-f]+:\d+)/g

/**
 * Milliseconds after which the next reading begins. The kernel stops every lock of the machine to write the list and
 * waits for all its processors, 5 to 15 ms: while file follows file it is read by the thread pool, not by the event loop.
 */
const FRESH = 100

/** Milliseconds after a file within which the next one follows it; a later one waits for a reading of its own. */
const FOLLOWS = 100

/** Milliseconds one reading serves while the next is under way behind signatures: less than a file rests. */
const SERVES = 1_000

interface Reading {
  readonly at: number
  readonly leases: ReadonlySet<string>
}

let last: Reading | undefined
let askedAt = Number.NEGATIVE_INFINITY
let isReading = false

/**
 * Whether a process has an exclusive lease on a file. It has to be known before the file is opened: even an opening that
 * does not wait makes the kernel ask the holder to give the lease up, and end it by force after
 * /proc/sys/fs/lease-break-time seconds (fcntl(2)), while a lease of somebody else is never to be broken (spec 2, Files 3).
 */
export function isExclusivelyLeased(path: string): boolean {
  const leases = exclusiveLeases()
  if (leases.size === 0) return false
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  // It may have been given back since: a job that is told so fails.
  return stats !== undefined && leases.has(placeOf(stats)) && readWithin(FRESH).has(placeOf(stats))
}

function exclusiveLeases(): ReadonlySet<string> {
  const now = performance.now()
  const follows = now - askedAt <= FOLLOWS
  askedAt = now
  const leases = readWithin(follows ? SERVES : FRESH)
  if (now - last!.at > FRESH && !isReading) void readAside(now)
  return leases
}

/** The list as it was within these milliseconds. */
function readWithin(milliseconds: number): ReadonlySet<string> {
  const now = performance.now()
  if (last === undefined || now - last.at > milliseconds) last = { at: now, leases: leasesIn(listNow()) }
  return last.leases
}

function listNow(): string {
  try {
    return readFileSync(LIST, 'latin1')
  } catch {
    return NO_LIST
  }
}

const leasesIn = (list: string): ReadonlySet<string> =>
  new Set([...list.matchAll(exclusive)].map(([, place]) => place!))

async function readAside(at: number): Promise<void> {
  isReading = true
  const text = await readFile(LIST, 'latin1').catch(() => NO_LIST)
  isReading = false
  if (last === undefined || last.at < at) last = { at, leases: leasesIn(text) }
}

/** As the list writes it; the bits of both numbers are those of makedev(3). */
function placeOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n)
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n)
  return `${hex(major)}:${hex(minor)}:${ino}`
}

const hex = (number: bigint): string => number.toString(16).padStart(2, '0')
