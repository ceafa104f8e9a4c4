import { extname } from 'node:path'
import { compactUploadFormats } from '../../contract/compact.ts'
import { requireKnownFields, wrongFields } from '../../rules/form-fields.ts'
import type { SignatureFormat } from '../../rules/job.ts'
import { refuse } from '../../rules/refuse.ts'
import type { UploadRequest } from '../../workers/intake/upload.ts'

const KNOWN = ['signatureFormat', 'encryptionEnabled', 'externalReference']

/** Reads the fields beside the file; absent ones, and empty ones as forms send them, are left to the profile. */
export function uploadRequest(fields: ReadonlyMap<string, string>): UploadRequest {
  requireKnownFields(fields, KNOWN)
  const given = (name: string) => fields.get(name)?.trim() || undefined
  const format = formatOf(given('signatureFormat'))
  const encryptionRequested = booleanOf('encryptionEnabled', given('encryptionEnabled'))
  const externalReference = given('externalReference')
  return {
    ...(format !== undefined && { format }),
    ...(encryptionRequested !== undefined && { encryptionRequested }),
    ...(externalReference !== undefined && { externalReference }),
  }
}

/** Refuses a file whose extension FileValidation:AllowedExtensions does not list; an empty list accepts all. */
export function requireAllowedExtension(fileName: string, allowed: readonly string[]): void {
  const extension = extname(fileName).toLowerCase()
  if (allowed.length > 0 && !allowed.some((one) => withDot(one.toLowerCase()) === extension))
    throw refuse('upload.extension-unsupported', { extension, allowed })
}

const withDot = (extension: string): string => (extension.startsWith('.') ? extension : `.${extension}`)

function formatOf(text: string | undefined): SignatureFormat | undefined {
  const format = compactUploadFormats.find((one) => one.toLowerCase() === (text ?? 'Auto').toLowerCase())
  if (format === undefined) throw refuse('upload.format-unsupported', { signatureFormat: text })
  return format === 'Auto' ? undefined : format
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }

function booleanOf(field: string, text: string | undefined): boolean | undefined {
  const value = booleans[(text ?? '').toLowerCase()]
  if (text !== undefined && value === undefined) throw wrongFields('must be true or false', [field])
  return value
}
