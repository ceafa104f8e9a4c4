import { isOneLine } from '@chancela/service-kernel/text'
import { UPLOAD_PREFIX } from './ignore-rules.ts'

// Longest name in UTF-8 bytes: file systems allow 255, and the output's name is longer by its suffixes.
const MOST_BYTES = 200

// Control characters, and characters that clients' file systems do not allow in names.
const FORBIDDEN = /[\p{Cc}<>:"|?*]/u
// Invisible characters that make a name display differently: U+202E reverses `gpj.exe`, others join or part nothing.
const INVISIBLE = /[\u200B-\u200D\u2060\uFEFF]/u
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** The name of an upload, or why the client's name cannot be it. */
export type UploadName = { readonly name: string } | { readonly problem: string }

/**
 * The last segment of the client's name, as it is: a name that were cut or cleaned would be that of another file, which
 * the rule that a name is signed once then refuses.
 */
export function uploadName(clientName: string): UploadName {
  const base = clientName.slice(Math.max(clientName.lastIndexOf('/'), clientName.lastIndexOf('\\')) + 1)
  const name = base.normalize('NFC')
  const problem = unusable.find(({ is }) => is(name))?.problem
  return problem === undefined ? { name } : { problem }
}

/** What a name must not be, most telling first. */
const unusable: readonly { readonly is: (name: string) => boolean; readonly problem: string }[] = [
  { is: (name) => /^[.\s]*$/.test(name), problem: 'has no name.' },
  {
    is: (name) => Buffer.byteLength(name) > MOST_BYTES,
    problem: `has a name of more than ${MOST_BYTES} bytes in UTF-8.`,
  },
  { is: (name) => FORBIDDEN.test(name), problem: 'has a control character or one of < > : " | ? * in its name.' },
  { is: (name) => !isOneLine(name) || INVISIBLE.test(name), problem: 'has a character in its name that is not seen.' },
  { is: (name) => RESERVED.test(name), problem: 'has a name that is reserved for a device.' },
  {
    is: (name) => /^\s|[\s.]$/.test(name),
    problem: 'has a name that begins or ends with a blank, or ends with a dot.',
  },
]

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
