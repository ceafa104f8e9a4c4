// Bytes of requests and answers: taken in from any reference, kept by their digest, given out by link.

import type { Readable } from 'node:stream'
import { readUrl } from '@chancela/service-kernel/addresses'
import {
  type BlobSource,
  type BlobStore,
  BlobTooLarge,
  blobsCheck,
  openBlobStore,
  rememberingBlobs,
  type StoredBlob,
} from '@chancela/service-kernel/blobs'
import { invalidField } from '@chancela/service-kernel/errors'
import type { HttpClient } from '@chancela/service-kernel/http-client'
import { decodeBase64 } from '@chancela/service-kernel/text'
import type { Context } from '../../context.ts'
import type { FileReferenceRequest, FileView } from '../../contract/files.ts'
import { fileName, mediaType, typeByName } from '../../rules/file-names.ts'
import { refuse } from '../../rules/refuse.ts'
import { idOf } from '../../store/authentications.ts'
import { findUpload } from '../../store/uploads.ts'
import { download, openDownloads } from './download.ts'
import { FileLinks, type LinkedFile } from './file-links.ts'

/** A file whose bytes are durable, though no row need refer to them yet. */
export interface KeptFile {
  readonly digest: string
  readonly size: number
  readonly name: string
  readonly contentType: string
}

/** Who takes a file in: it may refer to uploads of its own subscription, and to this service by where it reached it. */
export interface Taker {
  readonly subscriptionId: string
  /** Such as https://core.example.com. */
  readonly base: string
  readonly now: Date
}

/** Finds the file behind a link that is not an upload; the part that owns it supplies this. */
export type FindLinked = (linked: LinkedFile) => Promise<(KeptFile & { readonly subscriptionId: string }) | undefined>

export class Files {
  readonly links: FileLinks
  readonly blobs: BlobStore
  readonly #context: Context
  readonly #downloads: HttpClient
  readonly #findLinked: FindLinked

  private constructor(context: Context, blobs: BlobStore, findLinked: FindLinked) {
    const { settings, secrets, clock } = context
    this.#context = context
    this.blobs = blobs
    this.#downloads = openDownloads(context)
    this.#findLinked = findLinked
    this.links = new FileLinks(secrets, clock, {
      minutes: settings.Files.LinkMinutes,
      publicUrl: settings.Http.PublicUrl,
    })
  }

  static async open(context: Context, findLinked: FindLinked): Promise<Files> {
    const blobs = rememberingBlobs(await openBlobStore(context.settings.Storage, context))
    context.closing.add('the bytes of files', () => blobs.close())
    context.readiness.add('storage', blobsCheck(blobs))
    return new Files(context, blobs, findLinked)
  }

  /** Stores bytes within the limit of a file. */
  async put(source: BlobSource): Promise<StoredBlob> {
    const maxBytes = this.#context.settings.Files.MaxFileBytes
    try {
      return await this.blobs.put(source, { maxBytes })
    } catch (error) {
      if (error instanceof BlobTooLarge) throw refuse('FileTooLarge', { limit: maxBytes }, error)
      throw error
    }
  }

  read(file: Pick<KeptFile, 'digest'>): Promise<Buffer> {
    return this.blobs.read(file.digest)
  }

  stream(file: Pick<KeptFile, 'digest'>, range?: { start: number; end: number }): Promise<Readable> {
    return this.blobs.stream(file.digest, range)
  }

  /** The file that a request refers to by exactly one of content, address and token; `field` names it in refusals. */
  async take(reference: FileReferenceRequest, field: string, taker: Taker): Promise<KeptFile> {
    const url = same(reference.url, reference.location, `${field}.url`)
    const type = mediaType(same(reference.mimeType, reference.contentType, `${field}.mimeType`))
    const { content, blobToken } = reference
    const own = url === undefined ? undefined : this.links.ownLink(url, taker.base)
    // An answer of this service names an upload by token and link; it may come back as it is.
    const isOwn = own?.kind === 'upload' && blobToken && own.id === idOf(blobToken)
    if ([content, isOwn ? undefined : url, blobToken].filter((one) => typeof one === 'string').length !== 1)
      throw invalidField(field, 'must have exactly one of content, url and blobToken')
    const found = await this.#found({ content, url, blobToken, own }, field, taker)
    requireLength(reference.length, found.size, field)
    const name = fileName(reference.name ?? '') || found.name
    if (name === '') throw invalidField(`${field}.name`, 'is required')
    return { ...found, name, contentType: type ?? mediaType(found.contentType) ?? typeByName(name) }
  }

  async #found({ content, url, blobToken, own }: Sources, field: string, taker: Taker): Promise<FoundFile> {
    if (typeof content === 'string') return this.#inline(content, field)
    if (typeof blobToken === 'string') return this.#uploaded(idOf(blobToken), taker)
    if (own) return own.kind === 'upload' ? this.#uploaded(own.id, taker) : this.#linked(own, taker)
    return this.#downloaded(url!)
  }

  async #inline(content: string, field: string): Promise<FoundFile> {
    const bytes = decodeBase64(content)
    if (!bytes) throw invalidField(`${field}.content`, 'is not base64')
    if (bytes.length === 0) throw invalidField(`${field}.content`, 'has no bytes')
    // Not spread: the MD5, which nobody needs here, is computed when it is read.
    const { digest, size } = await this.put(bytes)
    return { digest, size, name: '', contentType: '' }
  }

  async #uploaded(id: string, { subscriptionId, now }: Taker): Promise<FoundFile> {
    const row = await findUpload(this.#context.store.db, subscriptionId, id, now)
    if (row?.state !== 'Complete') throw refuse('InvalidToken', { token: 'blobToken' })
    return { digest: row.digest!, size: row.size!, name: row.name ?? 'file', contentType: row.content_type ?? '' }
  }

  async #linked(linked: LinkedFile, { subscriptionId }: Taker): Promise<FoundFile> {
    const file = await this.#findLinked(linked)
    if (file?.subscriptionId !== subscriptionId) throw refuse('FileDownloadFailed', { reason: 'The link is not good.' })
    return file
  }

  async #downloaded(url: string): Promise<FoundFile> {
    const { bytes, contentType = '' } = await download(this.#downloads, url)
    if (bytes.length === 0) throw refuse('FileDownloadFailed', { reason: 'There are no bytes.' })
    const path = readUrl(url)?.pathname ?? ''
    const { digest, size } = await this.put(bytes)
    return { digest, size, name: fileName(decoded(path)) || 'file', contentType }
  }

  /** The file as answers show it. */
  view(file: KeptFile, linked: LinkedFile, base: string, blobToken: string | null = null): FileView {
    const url = this.links.to(linked, base)
    return {
      mimeType: file.contentType,
      content: null,
      blobToken,
      url,
      name: file.name,
      length: file.size,
      contentType: file.contentType,
      location: url,
    }
  }

  /** The file behind a link; undefined when it is gone. */
  async linked(linked: LinkedFile): Promise<KeptFile | undefined> {
    if (linked.kind !== 'upload') return this.#findLinked(linked)
    const row = await this.#context.store.db
      .selectFrom('upload')
      .selectAll()
      .where('id', '=', linked.id)
      .where('state', '=', 'Complete')
      .executeTakeFirst()
    return row && uploadedFile(row)
  }
}

type FoundFile = Pick<KeptFile, 'digest' | 'size'> & { readonly name: string; readonly contentType: string }

interface Sources {
  readonly content: string | null | undefined
  readonly url: string | undefined
  readonly blobToken: string | null | undefined
  readonly own: LinkedFile | undefined
}

/** An upload as a file: without a name it is called so. */
export const uploadedFile = (row: {
  readonly digest: string | null
  readonly size: number | null
  readonly name: string | null
  readonly content_type: string | null
}): KeptFile => ({
  digest: row.digest!,
  size: row.size!,
  name: row.name ?? 'file',
  contentType: row.content_type ?? typeByName(row.name ?? ''),
})

/** Two names of one field: either may be filled, or both alike. */
function same(one: string | null | undefined, other: string | null | undefined, field: string): string | undefined {
  if (one && other && one !== other) throw invalidField(field, 'is given twice, with different values')
  return one || other || undefined
}

function requireLength(asked: number | null | undefined, size: number, field: string): void {
  if (asked && asked !== size) throw invalidField(`${field}.length`, `is ${size} in fact`)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
