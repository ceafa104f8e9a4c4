import type { SignatureFormat } from '../../rules/vocabulary.ts'

export type FileKind = 'pdf' | 'xml' | 'other'

/** How a file of each kind is signed. */
export const formats: Readonly<Record<FileKind, SignatureFormat>> = { pdf: 'Pades', xml: 'Xades', other: 'Cades' }

export const PDF = 'application/pdf'

const XML = /^(?:application|text)\/(?:[\w.+-]+\+)?xml$/

/** The media type alone, without its parameters. */
export const mediaTypeOf = (contentType: string): string => contentType.toLowerCase().split(';')[0]!.trim()

/** What a file is by what is said of it. */
export function kindOf(name: string, contentType: string): FileKind {
  if (isPdf(name, contentType)) return 'pdf'
  return XML.test(mediaTypeOf(contentType)) || name.toLowerCase().endsWith('.xml') ? 'xml' : 'other'
}

export const isPdf = (name: string, contentType: string): boolean =>
  mediaTypeOf(contentType) === PDF || name.toLowerCase().endsWith('.pdf')
