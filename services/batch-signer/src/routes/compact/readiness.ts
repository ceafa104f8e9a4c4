import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import {
  type Check,
  type CheckResult,
  createReadiness,
  type Readiness,
  storeCheckOptions,
} from '@chancela/service-kernel/health'
import { createHttpClient, type HttpClient } from '@chancela/service-kernel/http-client'
import type { Context } from '../../context.ts'
import { databaseCheck } from '../../parts/database-check.ts'
import type { FolderDirectory } from '../../parts/folders/folder-directory.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { DEFAULT_PROFILE, type Profile, type SignatureLevel } from '../../rules/profile.ts'
import { probeFolder } from '../../upstream/storage/local/probe-folder.ts'

/** Whether an upload could be accepted, signed and stored now; cached for Health:CacheSeconds. */
export function compactReadiness(
  context: Context,
  profiles: ProfileDirectory,
  folders: Pick<FolderDirectory, 'list' | 'onChange'>,
): Readiness {
  const { settings, clock, dataFolder } = context
  const readiness = createReadiness({ cacheSeconds: settings.Health.CacheSeconds, clock })
  readiness.add('database', told('not reachable', databaseCheck(context)), storeCheckOptions)
  followFolders(readiness, folders)
  for (const name of ['uploads', 'processing', 'output', 'error'])
    readiness.add(`${name}-folder`, writeProbe(resolve(dataFolder, settings.Storage.Root, name)))
  readiness.add('signing-certificate', signingCertificate(profiles))
  readiness.add('timestamp-authority', timestampAuthority(context, profiles, authorityClient(context)))
  readiness.add('encryption-certificate', encryptionCertificate(context, profiles))
  return readiness
}

/** How the check of a watched folder begins; its name follows. */
const INPUT = 'input-folder:'

/** One check per watched folder; folders are added and removed while the service runs. */
function followFolders(readiness: Readiness, folders: Pick<FolderDirectory, 'list' | 'onChange'>): void {
  let known: readonly string[] = []
  const follow = () => {
    for (const name of known) readiness.remove(`${INPUT}${name}`)
    for (const { folder } of folders.list()) readiness.add(`${INPUT}${folder.name}`, writeProbe(folder.path))
    known = folders.list().map(({ folder }) => folder.name)
  }
  follow()
  folders.onChange(follow)
}

type Verdict = Awaited<ReturnType<Readiness['verdict']>>

/**
 * The verdict in the compact variant's format: name → `ok`, or `fail: ` and the reason. What the house calls its folders
 * is told to whoever has the key; to anybody else they are one check.
 */
export const compactVerdict = ({ ready, checks }: Verdict, { hasKey }: { readonly hasKey: boolean }) => {
  const shown = checks.filter(({ detail }) => detail !== NOT_CONFIGURED)
  return { ready, checks: Object.fromEntries((hasKey ? shown : foldersTogether(shown)).map(entryOf)) }
}

type CheckVerdict = Verdict['checks'][number]

const entryOf = ({ name, ok, detail }: CheckVerdict) => [name, ok ? 'ok' : `fail: ${detail ?? 'no reason given'}`]

/** In the place of the first, with the reason of the first that fails. */
function foldersTogether(checks: readonly CheckVerdict[]): CheckVerdict[] {
  const isInput = ({ name }: CheckVerdict): boolean => name.startsWith(INPUT)
  const inputs = checks.filter(isInput)
  const worst = inputs.find(({ ok }) => !ok) ?? inputs[0]
  return checks.flatMap((check) => {
    if (!isInput(check)) return [check]
    return check === inputs[0] ? [{ ...worst!, name: 'input-folders' }] : []
  })
}

// An optional check that does not apply is left out of the answer; profiles are edited while the service runs, so
// whether it applies is only known at request time.
const NOT_CONFIGURED = 'not configured, not needed'
const notNeeded: CheckResult = { ok: true, detail: NOT_CONFIGURED }

// The answer is public: a reason names the kind of failure, never a path, an address or a driver's message. The details
// are under GET /api/ready/details of the full surface, which requires the key.
const failed = (reason: string): CheckResult => ({ ok: false, detail: reason })

const told =
  (reason: string, check: Check): Check =>
  (signal) =>
    check(signal).then(
      (result) => (result.ok ? result : failed(reason)),
      () => failed(reason),
    )

const writeProbe =
  (folder: string): Check =>
  async () => {
    try {
      await probeFolder(folder)
      return { ok: true }
    } catch (error) {
      return failed(`not writable (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
    }
  }

const signingCertificate =
  (profiles: ProfileDirectory): Check =>
  async () => {
    const profile = profiles.get(DEFAULT_PROFILE)
    if (!profile) return failed('no default profile')
    return profiles.state(profile.name).state !== 'degraded' ? { ok: true } : failed('cannot be used')
  }

const needsTimestamp: Readonly<Record<SignatureLevel, boolean>> = {
  'B-B': false,
  'B-T': true,
  'B-LT': true,
  'B-LTA': true,
  'AD-RB': false,
  'AD-RT': true,
  'AD-RV': true,
  'AD-RC': true,
  'AD-RA': true,
}

/** A check has five seconds; only the operator configures the authority, which may be on the internal network. */
function authorityClient({ closing }: Context): HttpClient {
  const client = createHttpClient({ connectTimeoutMs: 5 * SECOND, deadlineMs: 5 * SECOND, maxAnswerBytes: 65_536 })
  closing.add('the client of the timestamp authority', () => client.close())
  return client
}

/** Any answer counts: an authority refuses invalid requests, and a real timestamp may cost money. */
const timestampAuthority =
  ({ settings }: Context, profiles: ProfileDirectory, client: HttpClient): Check =>
  async (signal) => {
    const profile = profiles.get(DEFAULT_PROFILE)
    const url = profile?.timestampAuthority ?? settings.Signing.TimestampAuthority
    if (url === undefined) return profile && needsTimestamp[profile.level] ? failed('not configured') : notNeeded
    try {
      const { status } = await client.exchange({ method: 'HEAD', url, signal })
      return status < 500 ? { ok: true } : failed(`answers ${status}`)
    } catch {
      // Network errors contain addresses; an anonymous caller only gets the reason below.
      return failed('not reachable')
    }
  }

const encryptionCertificate =
  ({ settings, clock, dataFolder }: Context, profiles: ProfileDirectory): Check =>
  async () => {
    const profile = profiles.get(DEFAULT_PROFILE)
    const files = settings.Encryption.CertificateFiles.map((file) => resolve(dataFolder, file))
    const texts = profile?.encryptionCertificates ?? []
    if (texts.length + files.length === 0) return encryptsAnyway(profile) ? failed('not configured') : notNeeded
    try {
      const certificates = [...texts, ...(await Promise.all(files.map((file) => readFile(file))))]
      return expiryOf(
        certificates.map((certificate) => new X509Certificate(certificate)),
        clock(),
      )
    } catch {
      // A message of the file system or the parser would reveal paths.
      return failed('cannot be read')
    }
  }

const encryptsAnyway = (profile: Profile | undefined): boolean => profile?.encrypt ?? false

function expiryOf(certificates: readonly X509Certificate[], now: Date): CheckResult {
  const at = now.getTime()
  if (certificates.some(({ validTo }) => Date.parse(validTo) < at)) return failed('expired')
  return certificates.some(({ validFrom }) => Date.parse(validFrom) > at) ? failed('not valid yet') : { ok: true }
}
