import { UPLOAD_PREFIX } from './ignore-rules.ts'

// Longest name in UTF-8 bytes: file systems allow 255, and the output's name is longer by its suffixes.
const MOST_BYTES = 200

// Control characters, and characters that clients' file systems do not allow in names.
const FORBIDDEN = /[\p{Cc}<>:"|?*]/gu
// Invisible characters that make a name display differently (U+202E reverses `gpj.exe`).
const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** The stored name of an upload: the last segment of the client's name, sanitized; undefined when nothing is left. */
export function uploadName(clientName: string): string | undefined {
  const base = clientName.slice(Math.max(clientName.lastIndexOf('/'), clientName.lastIndexOf('\\')) + 1)
  const clean = base.normalize('NFC').replace(INVISIBLE, '').replace(FORBIDDEN, '_')
  const trimmed = clean.trim().replace(/[. ]+$/, '')
  if (trimmed === '') return undefined
  return shortened(RESERVED.test(trimmed) ? `_${trimmed}` : trimmed)
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name
  const extension = extensionOf(name)
  const characters = [...name.slice(0, name.length - extension.length)]
  while (Buffer.byteLength(characters.join('')) + extension.length > MOST_BYTES) characters.pop()
  return characters.join('').replace(/[. ]+$/, '') + extension
}

/** The extension with its dot, if it is a simple one; it becomes part of our own names. */
const extensionOf = (name: string): string => /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? ''

/** The names of an upload in its folder. */
export interface LandingNames {
  /** While it arrives: watchers ignore it. */
  readonly arriving: string
  /** Once it has a job. */
  readonly landed: string
}

/** The names of an upload: the id of its job, with the extension of its file. */
export function landingNames(jobId: string, fileName: string): LandingNames {
  const landed = jobId + extensionOf(fileName)
  return { arriving: UPLOAD_PREFIX + landed, landed }
}

const ARRIVING = new RegExp(
  `^\\${UPLOAD_PREFIX}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\\.[A-Za-z0-9]{1,16})?$`,
)

/** The job of a file left while it arrived; undefined for other files. */
export function arrivingJob(name: string): { readonly jobId: string; readonly landed: string } | undefined {
  const jobId = ARRIVING.exec(name)?.[1]
  return jobId === undefined ? undefined : { jobId, landed: name.slice(UPLOAD_PREFIX.length) }
}
