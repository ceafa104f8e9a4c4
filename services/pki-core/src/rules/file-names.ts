import { fileNameOf } from '@chancela/service-kernel/text'

/** Longest name of a file that is kept. */
const LONGEST = 255

/** Some clients send the path of the file on their machine; what is not seen belongs in no name. */
export const fileName = (name: string): string => fileNameOf(name, '').slice(0, LONGEST)

/** What a file is taken for that came without a type. */
const ANY_TYPE = 'application/octet-stream'

const types: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  xml: 'text/xml',
  p7s: 'application/pkcs7-signature',
  p7m: 'application/pkcs7-mime',
  txt: 'text/plain',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

/** The type by the name's ending. */
export const typeByName = (name: string): string =>
  types[/\.([a-z\d]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? ANY_TYPE

const MEDIA_TYPE = /^[\w.!#$&^+-]+\/[\w.!#$&^+-]+$/

/** A media type without its parameters; undefined for what is none, or says nothing about the bytes. */
export function mediaType(text: string | null | undefined): string | undefined {
  const [type = ''] = (text ?? '').toLowerCase().split(/\s*;/, 1)
  return MEDIA_TYPE.test(type.trim()) && type.trim() !== ANY_TYPE ? type.trim() : undefined
}
