import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { FrameworkProblem, isStoreUnreachable, Refusal } from '@chancela/service-kernel/errors'
import { type FilePart, readMultipart } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { requireKnownFields, wrongFields } from '../../rules/form-fields.ts'
import {
  formatByExtension,
  type JobStatus,
  MAX_PATH_LENGTH,
  nameKey,
  type SignatureFormat,
  signatureFormats,
} from '../../rules/job.ts'
import { DEFAULT_PROFILE, type Profile } from '../../rules/profile.ts'
import { refuse, refuseAs } from '../../rules/refuse.ts'
import { said } from '../../rules/sentences.ts'
import { type LandingNames, landingNames, uploadName } from '../../rules/upload-name.ts'
import { forget, land, type Received, receive, settle } from '../../upstream/storage/folders/upload-landing.ts'
import { errnoOf } from '../../upstream/storage/local/disk-errors.ts'

type Request = Parameters<typeof readMultipart>[0]

/** The fields of a form. */
export interface UploadRequest {
  /** As the caller wrote it. */
  readonly format?: string | undefined
  readonly externalReference?: string | undefined
  /** Undefined leaves it to the profile. */
  readonly encryptionRequested?: boolean | undefined
}

/** An upload as a surface receives it. */
export interface UploadOrder {
  /** A request to a route with `streamed: true`. */
  readonly request: Request
  /** Name of a profile, case-insensitive; the default one when absent. */
  readonly profile?: string | undefined
  /** As the caller wrote it in the query; takes precedence over the form's. */
  readonly format?: string | undefined
  /** Largest file, in bytes. Default: Upload:MaxBytes. */
  readonly maxBytes?: number
  /** Checks the file's name before a byte is stored, and throws a refusal if it is not acceptable. */
  acceptName?(fileName: string): void | Promise<void>
  /** Reads the form's fields, which may come after the file. Default: only `format`. */
  readFields?(fields: ReadonlyMap<string, string>): UploadRequest
}

/** An upload that has become a job. */
export interface UploadedJob {
  readonly jobId: string
  readonly fileName: string
  readonly originalPath: string
  readonly format: SignatureFormat
  readonly status: JobStatus
  readonly profileName: string
}

export interface UploadParts {
  readonly context: Pick<Context, 'settings' | 'ledger' | 'clock' | 'logger'>
  readonly profiles: Pick<ProfileDirectory, 'get'>
  /** Path of the folder uploads land in. */
  readonly folder: string
  /** Paths whose job is being recorded; watchers ignore them. */
  readonly landing: Set<string>
}

/** Names of uploads on their way: whoever asks whether a name is taken must see those that are not jobs yet. */
type Names = Set<string>

/** Refusals of a form without a usable file. */
const unreadable = {
  'no-file': () => refuse('upload.empty'),
  'no-file-name': () => refuse('upload.invalid-name'),
  'too-large': (maxBytes: number) => refuse('upload.too-large', { maxBytes }),
  'several-files': () => wrongFields('The form has more than one file.', ['file']),
} as const

/** What a form says beside its file where the surface reads nothing of its own. */
function formatField(fields: ReadonlyMap<string, string>): UploadRequest {
  requireKnownFields(fields, ['format'])
  return { format: fields.get('format') }
}

/** Error codes of a folder that cannot store a file. */
const folderTroubles: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
])

/** Receives uploads: streamed to disk while hashed, with a job recorded before the answer. */
export class Uploads {
  readonly #parts: UploadParts
  readonly #names: Names = new Set()

  constructor(parts: UploadParts) {
    this.#parts = parts
  }

  /** Refuses in the order of the specification; a refused upload leaves no byte behind. */
  async upload(order: UploadOrder): Promise<UploadedJob> {
    const { Upload } = this.#parts.context.settings
    if (!Upload.Enabled) throw refuse('upload.disabled')
    await this.#parts.context.ledger.requireStore()
    const profile = this.#profileOf(order.profile)
    const asked = formatOf(order.format)
    const maxFileBytes = order.maxBytes ?? Upload.MaxBytes
    const arrival = new Arrival(this.#parts, order, this.#names)
    try {
      const form = await readMultipart(order.request, {
        maxFileBytes,
        onFile: (part) => arrival.receive(part),
      })
      if (form.outcome !== 'read') throw unreadable[form.outcome](maxFileBytes)
      return await arrival.becomeJob(profile, asked, (order.readFields ?? formatField)(form.fields))
    } catch (error) {
      await arrival.forget()
      throw this.#refusalOf(error)
    } finally {
      arrival.freeName()
    }
  }

  #profileOf(name = DEFAULT_PROFILE): Profile {
    const profile = this.#parts.profiles.get(name)
    if (!profile) throw refuseAs(400, 'profile.not-found', { profile: name })
    if (!profile.enabled) throw refuse('profile.disabled', { profile: profile.name })
    if (profile.method === 'SignerFolder') throw refuse('profile.takes-no-files', { profile: profile.name })
    return profile
  }

  // A folder that is full, missing or not accessible is not the caller's fault, and temporary.
  #refusalOf(error: unknown): unknown {
    if (error instanceof FrameworkProblem && error.kind === 'unsupported-media-type')
      return refuse('upload.empty', { field: 'Content-Type' })
    if (error instanceof Refusal || error instanceof FrameworkProblem || isStoreUnreachable(error)) return error
    if (!folderTroubles.has(errnoOf(error))) return error
    this.#parts.context.logger.error({ err: error, folder: this.#parts.folder }, 'upload could not be stored')
    return refuse('service.busy', { reason: 'The upload could not be written.' })
  }
}

/** One upload on its way to becoming a job. */
class Arrival {
  readonly #parts: UploadParts
  readonly #order: UploadOrder
  readonly #names: Names
  #name: string | undefined
  readonly #jobId = randomUUID()
  #file: { readonly fileName: string; readonly names: LandingNames; readonly received: Received } | undefined

  constructor(parts: UploadParts, order: UploadOrder, names: Names) {
    this.#parts = parts
    this.#order = order
    this.#names = names
  }

  async receive(part: FilePart): Promise<void> {
    const named = uploadName(part.fileName)
    if ('problem' in named) throw refuse('upload.invalid-name', { fields: { file: [named.problem] } })
    const fileName = named.name
    await this.#takeName(fileName)
    const names = landingNames(this.#jobId, fileName)
    const path = join(this.#parts.folder, names.landed)
    if (path.length > MAX_PATH_LENGTH) throw refuse('job.path-too-long', { length: path.length })
    const received = await receive(this.#parts.folder, names, part.content)
    this.#file = { fileName, names, received }
    if (received.length === 0) throw refuse('upload.empty')
  }

  /** Only where somebody asks: two uploads of one name at once would both be told that it is free. */
  async #takeName(fileName: string): Promise<void> {
    const { acceptName } = this.#order
    if (!acceptName) return
    const name = nameKey(fileName)
    if (this.#names.has(name)) throw refuse('job.already-processing', { fileName })
    this.#names.add(name)
    this.#name = name
    await acceptName(fileName)
  }

  freeName(): void {
    if (this.#name !== undefined) this.#names.delete(this.#name)
  }

  async becomeJob(profile: Profile, asked: SignatureFormat | undefined, request: UploadRequest): Promise<UploadedJob> {
    const { fileName, names, received } = this.#file!
    const { context, folder, landing } = this.#parts
    const format = asked ?? formatOf(request.format) ?? profile.format ?? formatByExtension(fileName)
    const originalPath = join(folder, names.landed)
    const { externalReference, encryptionRequested } = request
    landing.add(originalPath)
    try {
      await land(folder, names)
      const result = await context.ledger.enqueueInTime(
        {
          id: this.#jobId,
          fileName,
          originalPath,
          inputFolder: null,
          format,
          source: 'Upload',
          profileName: profile.name,
          ...(externalReference !== undefined && { externalReference }),
          ...(encryptionRequested !== undefined && { encryptionRequested }),
          message: said('uploaded', { length: received.length, sha256: received.sha256 }),
        },
        context.clock(),
      )
      if (result.outcome === 'AlreadyProcessed')
        throw refuse('file.already-processed', { fileName, holderId: result.holderId, holderName: result.holderName })
      if (result.outcome === 'AlreadyActive') throw refuse('job.already-processing', { fileName })
      this.#file = undefined
      await settle(folder, names)
      return { jobId: this.#jobId, fileName, originalPath, format, status: 'Queued', profileName: profile.name }
    } finally {
      // A refused upload must be gone from the path before the watchers may see it again.
      await this.forget()
      landing.delete(originalPath)
    }
  }

  /** Removes what was received, unless it has become a job. */
  async forget(): Promise<void> {
    const names = this.#file?.names
    this.#file = undefined
    if (names) await forget(this.#parts.folder, names)
  }
}

/** The requested format; undefined when there is none. */
function formatOf(text: string | undefined): SignatureFormat | undefined {
  if (text === undefined || text === '') return undefined
  const format = signatureFormats.find((one) => one.toLowerCase() === text.toLowerCase())
  if (!format) throw refuse('upload.format-unsupported', { format: text, accepted: signatureFormats })
  return format
}
