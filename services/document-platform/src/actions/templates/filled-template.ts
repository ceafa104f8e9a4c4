import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignatureFormat } from '../../rules/vocabulary.ts'
import { fileFacts, type PreparedFile } from '../documents/file-content.ts'
import type { TemplateFile } from './templates.ts'

const PDF = 'application/pdf'

interface Filling {
  /** Stands for the upload in the answer. */
  readonly id: string
  readonly displayName: string
  readonly values: Readonly<Record<string, unknown>>
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Default: a PDF signature. */
  readonly format?: SignatureFormat
}

/** A document made of a form and values, its bytes durable. */
export async function filledTemplate(
  { blobs, renditions }: Pick<Context, 'blobs' | 'renditions'>,
  { filename, digest }: Omit<TemplateFile, 'fields'>,
  { id, displayName, values, metadata = {}, format = 'Pades' }: Filling,
): Promise<PreparedFile> {
  const filled = await renditions.make('fillForm', [digest], { fields: values, metadata }, { name: filename })
  return {
    uploadIds: [id],
    pagesBefore: new Map(),
    name: filename,
    displayName,
    contentType: PDF,
    format,
    ...fileFacts(await blobs.put(filled)),
  }
}

/** Refuses values for fields that the form does not have: they would be lost. */
export function requireFields(values: Readonly<Record<string, unknown>>, fields: readonly string[], at: string): void {
  const unknown = Object.keys(values).find((name) => !fields.includes(name))
  if (unknown !== undefined) throw refuse('InvalidRequest', { [`${at}.${unknown}`]: 'is no field of the template' })
}
